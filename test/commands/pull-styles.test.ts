/** `pull --force` edits hand-formatted files: it changes only the text of the value that changed in the catalog. */
import { expect, test, vi } from "vitest";
import { PROVIDER_ID } from "../rig.ts";
import { lines, numberedCourse, rigWith, startCommand } from "./helpers.ts";

/** A way to write a course. The value that changes is between « and »; `N` is the number of the course. */
interface Style {
  readonly extension?: string;
  /** What the files and the catalog had before. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** The change in the catalog. */
  readonly change: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const PRICE = (price: string) => ({
  prices: [{ type: "single_course", price, currency: "EUR" }],
});

const STYLES: readonly Style[] = [
  {
    change: { name: "Scarves" },
    text: `# Comments everywhere, and an entry of our own.
x-owner: &owner ada   # and an anchor
x-reviewer: *owner
name:   «Course N»   # as in the brochure

url: https://academy.example/N # do not change
provider: academy.example
short_description: Knit your first scarf.
long_description: >-
  From casting on
  to binding off.
audio:
- en # English
pace: self_paced
# Next: add a video.
`,
  },
  {
    before: PRICE("10"),
    change: PRICE("12.50"),
    text: `"name":              "Course N"
'url':               'https://academy.example/N'
provider_id:         ${PROVIDER_ID.toUpperCase()}
short_description:   "Knit your first scarf\\x2e"
long_description:    'From casting on to binding off.'
audio:               [ en ]
pace:                !!str self_paced
prices:              [ { type: single_course, price: «'10'», currency: "EUR" } ]   # list price
`,
  },
  {
    change: { pace: "instructor_paced" },
    text: `%YAML 1.2
---
name: A new one
url: https://academy.example/new-N
... # end of the first
---   # The second.
{ name: Course N, "url": "https://academy.example/N", provider: example-academy,
  short_description: Knit your first scarf., # in a flow mapping
  long_description: From casting on to binding off., audio: [en],
  pace: «self_paced» }
---
name: The third
url: https://academy.example/third-N
`,
  },
  {
    extension: "json",
    change: { short_description: "Knit your «first» scarf." },
    text: `[ {
\t"name" : "Course N",   "url":"https:\\/\\/academy.example\\/N",
\t"provider_id":"${PROVIDER_ID}" ,
\t"short_description": «"Knit your first scarf."»,
\t"long_description": "From casting on to binding off.", "audio": [ "en" ]
,\t"pace":"self_paced"
} ]`,
  },
];

/** How the lines of files end. */
const LINE_ENDS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => `\ufeff${text.replaceAll("\n", "\r\n").trimEnd()}`,
];

/** Every style with every line end; `kept` is the text before and after the value that changes. */
function styledFiles() {
  let number = 0;
  return STYLES.flatMap(({ extension = "yaml", before = {}, change, text }) =>
    LINE_ENDS.map((end) => {
      number += 1;
      const filled = text.replaceAll(/(?<=Course |[/-])N/g, `${number}`);
      const [start = "", value = "", rest = ""] = end(filled).split(/[«»]/);
      return {
        name: `${number}.${extension}`,
        kept: [start, rest] as const,
        text: `${start}${value}${rest}`,
        before: numberedCourse(number, before),
        change,
      };
    }),
  );
}

test("pull --force changes only the value that changed in the catalog in hand-formatted files", async () => {
  const files = styledFiles();
  const r = await rigWith(...files.map(({ before, change }) => ({ ...before, ...change })));
  for (const { name, text } of files) await r.write(`out/${name}`, text);
  const ran = await r.run("courses pull out --force");
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringContaining(`Courses in files: ${files.length} written.\n`),
  ]);
  for (const { name, text, kept } of files) {
    const edited = await r.read(`out/${name}`);
    const [start, end] = kept;
    expect([edited.slice(0, start.length), edited.slice(-end.length)]).toEqual([start, end]);
    expect(edited).not.toBe(text);
    // No other line end comes into the file.
    expect(/[^\r]\n/.test(edited)).toBe(/[^\r]\n/.test(text));
  }
  const again = await r.run("courses pull out");
  expect([again.code, again.stderr]).toEqual([
    0,
    `Courses in files: ${files.length} up to date.\n`,
  ]);
});

test("pull --force reports a file that an editor changes meanwhile, and leaves the file unchanged", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  for (const number of [1, 2]) {
    await r.write(`out/${number}.json`, numberedCourse(number, { name: "Old" }));
  }
  const mine = JSON.stringify(numberedCourse(2, { name: "Mine" }));
  const words = ["courses", "pull", "out", "--force", "-o", "ndjson"];
  const running = startCommand(r, words, {}, "y\n", true);
  // The changes are shown before the command asks about them.
  vi.spyOn(running.err, "write").mockImplementationOnce(async () => {
    await r.write("out/2.json", mine);
  });
  expect([await running.code, await r.read("out/2.json")]).toEqual([1, mine]);
  const rows = lines(running.out.text).map((line) => JSON.parse(line));
  expect(rows).toMatchObject([
    { status: "done" },
    { status: "failed", file: "out/2.json", error: { kind: "output" } },
  ]);
  expect(JSON.parse(await r.read("out/1.json")).name).toBe("Course 1");
});
