/** Random changes of the examples, with a comment above each entry, are made in place. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isList, isObject, type Path, type PlainObject, valueAt } from "../../src/base/values.ts";
import { spanAt } from "../../src/files/diagnostic.ts";
import { editCourses } from "../../src/files/edit.ts";
import { parseAs } from "../../src/files/parse.ts";
import { scaleRuns } from "../long.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

const TEXTS = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml") && name !== "broken.yaml")
  .map((name) => withComments(readFileSync(join(EXAMPLES, name), "utf8")));

/** The text with a numbered comment above each entry and each item that is not in a block of text. */
function withComments(text: string): string {
  let block: number | undefined;
  return text
    .split("\n")
    .map((line, number) => {
      const indentation = line.search(/\S/);
      if (block !== undefined && (indentation === -1 || indentation > block)) return line;
      block = /:\s*[|>][-+]?$/.test(line) ? indentation : undefined;
      if (!/^\s*(?:- )?[a-z_]+:/.test(line)) return line;
      return `${" ".repeat(indentation)}# comment ${number};\n${line}`;
    })
    .join("\n");
}

/** The paths of all values in a value. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([step, each]) => pathsIn(each, [...path, step]))].filter(
    ({ length }) => length > 0,
  );
}

/** Puts a value at a path of a copy; undefined removes what is there, and `isNew` inserts before it. */
function changed(root: unknown, [step, ...rest]: Path, value: unknown, isNew: boolean): unknown {
  const isLast = rest.length === 0;
  if (isList(root) && typeof step === "number") {
    const inner = isLast ? value : changed(root[step], rest, value, isNew);
    const items = isLast && value === undefined ? [] : [inner];
    return root.toSpliced(step, isLast && isNew ? 0 : 1, ...items);
  }
  if (!isObject(root) || typeof step !== "string") return root;
  if (!isLast) return { ...root, [step]: changed(root[step], rest, value, isNew) };
  const { [step]: _, ...others } = root;
  if (value === undefined) return others;
  return isNew ? { ...root, "x-new": value } : { ...root, [step]: value };
}

const VALUES = fc.constantFrom<unknown>(
  ...["x", "it's", "a: b # c", "two\nlines\n", "- {", "no", "", " a ", "編🧶", "long ".repeat(30)],
  ...[null, true, 4.5, [], ["en", "pt-BR"], { a: "b" }, [{ title: "T", description: ["D"] }]],
  ...[undefined, undefined, undefined, undefined],
);

const CHANGES = fc.tuple(fc.nat(TEXTS.length - 1), fc.nat(), VALUES, fc.boolean());

const commentsIn = (text: string): string[] => text.match(/# comment \d+;/g) ?? [];

test("random changes of the examples are made in place, and lose no comment outside of the changed entry", async () => {
  const runs = scaleRuns(10);
  let rewritten = 0;
  const property = fc.asyncProperty(CHANGES, async ([file, number, value, isNew]) => {
    const text = TEXTS[file] ?? "";
    const parsed = await parseAs("yaml", text);
    const course = parsed.documents[0] as PlainObject;
    const paths = pathsIn(course);
    const path = paths[number % paths.length] ?? [];
    const desired = changed(course, path, value, isNew);
    const wanted = desired as PlainObject;
    const replacements = [{ index: 0, old: course, wanted }];
    const { text: edited } = await editCourses(text, "yaml", replacements);
    expect((await parseAs("yaml", edited)).documents).toEqual([
      desired,
      ...parsed.documents.slice(1),
    ]);
    const place = await parsed.place({ document: 0 });
    // A list or an object that becomes empty is written again.
    const around = valueAt(desired, path.slice(0, -1));
    const isEmptied = path.length > 1 && Object.keys(around ?? {}).length === 0;
    const smallest = isEmptied ? path.slice(0, -1) : path;
    const { start } = spanAt(place, smallest, "key");
    const { end } = spanAt(place, smallest, "value");
    const outside = `${text.slice(0, start)}\n${text.slice(end)}`;
    const kept = commentsIn(edited);
    const lost = commentsIn(outside).filter((comment) => !kept.includes(comment));
    expect([path, valueAt(course, path), value, lost]).toEqual([
      path,
      valueAt(course, path),
      value,
      [],
    ]);
    const lines = new Set(edited.split("\n"));
    const isChanged = (line: string): boolean => !lines.has(line);
    if (outside.split("\n").filter(isChanged).length > 2) rewritten++;
  });
  await fc.assert(property, { numRuns: runs });
  expect(rewritten).toBeLessThanOrEqual(runs / 20);
}, 300_000);
