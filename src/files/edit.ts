/** Writes ids into course files (cli.md section 8, `--write-ids`). */
import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { decode, readBytes } from "./bytes.ts";
import { formatOf } from "./courses.ts";
import { CHANGED, type ChosenId, type Refusal, withIds } from "./edit-text.ts";
import type { FoundFile } from "./find.ts";
import { LineIndex } from "./position.ts";

export type { ChosenId } from "./edit-text.ts";

/**
 * Puts ids into a file, all of them or none. The file is read anew, and keeps its mode, its owner,
 * its line ends and its byte order mark; a link is followed to the file that it means. A course
 * that has its id already is left as it is.
 *
 * @throws CatalogError of kind `file` when the file cannot be read, holds other courses by now, or
 * leaves no place for an id; of kind `output` when it cannot be written
 */
export async function writeIds(file: FoundFile, ids: readonly ChosenId[]): Promise<void> {
  if (ids.length === 0) return;
  const bytes = readBytes(file);
  const { text, problem } = decode(bytes);
  const edited = problem === undefined ? withIds(text, formatOf(file.path), ids) : CHANGED;
  if ("reason" in edited) throw refused(file.name, text, ids, edited);
  if (edited.text === text) return;
  const mark = bytes.length > Buffer.byteLength(text) ? "\ufeff" : "";
  await written(file, mark + edited.text, ids);
}

async function written(
  { name, path }: FoundFile,
  content: string,
  ids: readonly ChosenId[],
): Promise<void> {
  const next = byHand(ids);
  try {
    // A name such as /dev/fd/3 would be written to at its end, where a file is to be replaced.
    const real = await realpath(path);
    // A file that is protected from writing could be replaced all the same.
    await access(real, constants.W_OK);
    await writeFileAtomically(real, content, { name });
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause.with({ advice: next });
    const code = systemCode(cause);
    const facts = { file: name, code, next, cause };
    throw new CatalogError("output", `could not write ${name}: ${code ?? cause}`, facts);
  }
}

function refused(
  name: string,
  text: string,
  ids: readonly ChosenId[],
  refusal: Refusal,
): CatalogError {
  const what = ids.length === 1 ? `the id of ${ids[0]?.url}` : pluralize(ids.length, "id");
  const { line, column } =
    refusal.span === undefined ? {} : new LineIndex(text).range(refusal.span);
  return new CatalogError("file", `could not write ${what} into ${name}: ${refusal.reason}`, {
    file: name,
    line,
    column,
    advice:
      refusal === CHANGED
        ? "Push once more, and it is done in the file as it is now."
        : byHand(ids),
  });
}

/** Beyond these, nobody writes them by hand. */
const MOST_NAMED = 5;

/** Tells what to write where the program could not. */
function byHand(ids: readonly ChosenId[]): string {
  if (ids.length === 1) return `Write its id, ${ids[0]?.id}, there by hand.`;
  const named = ids.slice(0, MOST_NAMED).map(({ url, id }) => `${id} (${url})`);
  const rest = ids.length - named.length;
  return `Write them there by hand: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}
