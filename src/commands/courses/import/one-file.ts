/** Plans an import into one file, which may have some of the courses already. */
import { existsSync } from "node:fs";
import { CatalogError } from "../../../base/errors.ts";
import type { FileStep } from "../../../command-support/write-files.ts";
import { type EditText, replaceCourses } from "../../../files/edit.ts";
import { MAX_FILE_SIZE } from "../../../files/limits.ts";
import type { ImportFormat } from "./options.ts";
import { describeItem, type ImportItem, listReplacements } from "./plan-imports.ts";
import { appendCourses, fileText } from "./texts.ts";

/** The only file. */
interface Destination {
  /** As messages name it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly format: ImportFormat;
}

/**
 * The step that changes courses of the file and adds those that it does not have; none for an import
 * that was not completed.
 */
export function planFile(items: readonly ImportItem[], destination: Destination): FileStep[] {
  if (items.length === 0) return [];
  const { name, path, format } = destination;
  const replacements = listReplacements(items);
  const added = items.flatMap(({ match, course }) => (match === undefined ? [course] : []));
  const courses = items.map((item) => describeItem(item, name));
  const place = { name, path, courses };
  if (!existsSync(path)) {
    const text = (): string => requireReadable(fileText(added, format), destination);
    return [{ action: "new", ...place, text }];
  }
  if (replacements.length === 0 && added.length === 0) return [{ action: "keep", ...place }];
  const edit: EditText = async (text, sourceFormat) => {
    const replaced = await replaceCourses(replacements)(text, sourceFormat);
    if ("reason" in replaced || added.length === 0) return replaced;
    const extended =
      replaced.text.trim() === ""
        ? fileText(added, format)
        : await appendCourses(replaced.text, added, format);
    if (extended !== undefined) return { text: requireReadable(extended, destination) };
    const reason =
      format === "csv"
        ? "it has no column for a value, or a value does not fit into its cell"
        : "it contains no list that can be extended";
    return { reason };
  };
  return [{ action: "edit", ...place, edit }];
}

/** @throws CatalogError of kind `output` if the text is larger than files that commands read */
function requireReadable(text: string, { name }: Pick<Destination, "name">): string {
  if (Buffer.byteLength(text) <= MAX_FILE_SIZE) return text;
  const limit = `${MAX_FILE_SIZE / 1024 / 1024} MiB, the limit for a file`;
  throw new CatalogError("output", `${name} would be larger than ${limit}`, {
    file: name,
    advice: "Write to a folder with --out.",
  });
}
