/** Inserting ids into course files of any layout changes nothing else. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { FileFormat } from "../../src/files/parse.ts";
import { writeWithPositions } from "../commands/position-writer.ts";
import { STYLES } from "../commands/text-styles.ts";
import { scaleRuns } from "../long.ts";
import { type ChosenId, withIds } from "./read-back.ts";

type Course = Readonly<Record<string, unknown>>;

/** The courses of a file, read with the parsers only. */
function coursesOf(text: string, format: FileFormat): Course[] {
  const documents =
    format === "json" ? [JSON.parse(text)] : loadAll(text, null, { schema: CORE_SCHEMA });
  return documents.flat().filter((document) => document !== null) as Course[];
}

function idOf(course: number): string {
  return `00000000-0000-5000-8000-${String(course).padStart(12, "0")}`;
}

/** An id for each of the selected courses. */
function idsFor(courses: readonly Course[], isChosen: (course: number) => boolean): ChosenId[] {
  return courses.flatMap(({ url }, course) =>
    isChosen(course) ? [{ course, url: String(url), id: idOf(course) }] : [],
  );
}

/** A first entry with an id, and the separator to the next entry. */
const ENTRY = /(["']?)id\1[ \t]*:[ \t]*(["']?)00000000-0000-5000-8000-\d{12}\2,?\s*/g;

/** Inserts ids and checks that nothing else changes. @returns the text with ids */
async function expectOnlyIds(
  text: string,
  format: FileFormat,
  ids: readonly ChosenId[],
): Promise<string> {
  const result = await withIds(text, format, ids);
  if ("reason" in result) throw new Error(`${result.reason}: ${text}`);
  const before = coursesOf(text, format);
  const wanted = before.map((course, index) => {
    const chosen = ids.find((one) => one.course === index);
    return chosen === undefined ? course : { ...course, id: chosen.id };
  });
  expect(coursesOf(result.text, format)).toEqual(wanted);
  return result.text;
}

const text = fc.oneof(
  fc.constantFrom("x", "id", "編み物 🧶", "a: b # c", "- {", 'say "no"', "it's", "null", ""),
  fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
);
const value = fc.oneof(
  text,
  fc.constantFrom(null, true, 0, -1.5),
  fc.array(text, { maxLength: 3 }),
  fc.array(fc.record({ id: text, "a b": text }), { maxLength: 2 }),
  fc.record({ id: fc.constant(null), url: text }),
);

/** Courses with keys in any order, with or without an empty id. */
const courses = fc
  .array(
    fc.tuple(
      fc.dictionary(fc.constantFrom("name", "a", "1", "x y", "#", "編🧶"), value, { maxKeys: 4 }),
      fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      fc.nat({ max: 5 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    parts.map(([others, idAt, urlAt], index): Course => {
      const entries = Object.entries(others);
      if (idAt !== undefined) entries.splice(idAt, 0, ["id", null]);
      entries.splice(urlAt, 0, ["url", `https://example.com/${index}`]);
      return Object.fromEntries(entries);
    }),
  );

const flags = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });

describe("random courses in every style", () => {
  test.each(STYLES)(
    "withIds changes only ids in random courses: $style",
    async ({ extension, layout: manner }) => {
      await fc.assert(
        fc.asyncProperty(courses, flags, async (all, chosen) => {
          const written = manner.several === undefined ? all.slice(0, 1) : all;
          // The tag makes the value null, even with text after it.
          const hasTags = manner.before?.("") === "!!str ";
          const fillable = hasTags ? written.map(({ id: _, ...rest }) => rest) : written;
          // The byte order mark is not part of the edited text.
          const before = writeWithPositions(fillable, { ...manner, marked: false }).text;
          const ids = idsFor(fillable, (course) => chosen[course] === true);
          const after = await expectOnlyIds(before, extension, ids);
          const emptied = ids
            .filter(({ course }) => Object.hasOwn(fillable[course] ?? {}, "id"))
            .reduce(
              (left, { id }) => left.replace(new RegExp(`(["']?)${id}\\1`), manner.scalar(null)),
              after,
            );
          expect(emptied.replace(ENTRY, "")).toBe(before);
        }),
        { numRuns: scaleRuns(10) },
      );
    },
  );
});

const newline = fc.constantFrom("\n", "\r\n");
const comment = fc.constantFrom("# c", "# id: x", "# - {", "#");
const blank = fc.constantFrom("", " ", "   ");

/** What can be between the dash of a list item and its first key. */
const lead = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((gap) => ({ gap: " ".repeat(gap), lines: [] as string[] })),
  fc
    .tuple(
      fc.constantFrom("", " ", " &a", " !!map", "  &編 !!map", " # c"),
      fc.array(fc.oneof(comment, blank), { maxLength: 3 }),
    )
    .map(([gap, lines]) => ({ gap, lines: [gap, ...lines] })),
);

describe("courses in blocks", () => {
  test("withIds inserts ids into list items far from their dashes, below them, or after comments and anchors", async () => {
    const item = fc.tuple(lead, fc.array(comment, { maxLength: 2 }), fc.nat({ max: 3 }));
    const layouts = fc.tuple(
      newline,
      fc.nat({ max: 3 }),
      fc.array(item, { minLength: 1, maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(layouts, flags, async ([end, indentation, items], chosen) => {
        const outer = " ".repeat(indentation);
        const lines = items.flatMap(([{ gap, lines: between }, comments, deeper], index) => {
          const inner =
            between.length === 0
              ? `${outer} ${" ".repeat(gap.length)}`
              : `${outer} ${" ".repeat(deeper)}`;
          const first =
            between.length === 0
              ? [`${outer}-${gap}name: x  # c`]
              : [
                  `${outer}-${between[0]}`,
                  ...between.slice(1).map((line) => (line === "" ? "" : `${inner}${line}`)),
                  `${inner}name: x`,
                ];
          return [...comments.map((line) => outer + line), ...first, `${inner}url: u${index} `, ""];
        });
        const before = lines.join(end);
        const ids = idsFor(coursesOf(before, "yaml"), (course) => chosen[course] === true);
        const after = await expectOnlyIds(before, "yaml", ids);
        expect(after.replace(ENTRY, "")).toBe(before);
        expect(after.split(end).length).toBe(lines.length + ids.length);
      }),
      { numRuns: scaleRuns(40) },
    );
  });

  test("withIds inserts ids into documents after directives, markers, comments and empty documents", async () => {
    const opening = fc.constantFrom(
      "---",
      "--- # c",
      "--- !!map",
      "--- &a # c",
      "---\n# c",
      "...\n---",
    );
    const document = fc.tuple(opening, fc.boolean(), fc.constantFrom("", "  "));
    const layouts = fc.tuple(newline, fc.array(document, { minLength: 1, maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(layouts, flags, async ([end, documents], chosen) => {
        const before = documents
          .map(([mark, isEmpty, indentation], index) =>
            isEmpty && !mark.includes("!!map")
              ? `${mark}\n`
              : `${mark}\n${indentation}url: u${index}\n${indentation}name: x\n`,
          )
          .join("")
          .replaceAll("\n", end);
        const ids = idsFor(coursesOf(before, "yaml"), (course) => chosen[course] === true);
        expect((await expectOnlyIds(before, "yaml", ids)).replace(ENTRY, "")).toBe(before);
      }),
      { numRuns: scaleRuns(40) },
    );
  });
});

const EXAMPLES = fileURLToPath(new URL("../../examples/courses", import.meta.url));
const FILES = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(json|yaml)$/.test(name))
  .sort();

describe("the examples", () => {
  test.each(FILES)("withIds changes only the ids of examples/%s", async (name) => {
    const before = readFileSync(join(EXAMPLES, name), "utf8");
    const format = extname(name) === ".json" ? "json" : "yaml";
    const ids = idsFor(coursesOf(before, format), () => true);
    const after = await expectOnlyIds(before, format, ids);
    expect(ids).not.toHaveLength(0);
    expect(after.replace(ENTRY, "")).toBe(before);
    expect(after.split("\n").length).toBe(before.split("\n").length + ids.length);
  });
});
