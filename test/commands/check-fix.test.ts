/** `check --fix` applies automatic fixes and changes nothing else; `check` suggests fixes for typical input of newcomers. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { dump } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { FileFix } from "../../src/commands/courses/check/fix-files.ts";
import { checkCourse } from "../../src/course/check.ts";
import { cellText } from "../../src/files/csv.ts";
import { fixText } from "../../src/files/fix.ts";
import { parseAs, type SourceFormat } from "../../src/files/parse.ts";
import { findCourses } from "../../src/files/parsed.ts";
import { scaleRuns } from "../long.ts";
import { course, type Rig, rig } from "../rig.ts";
import { lines } from "./helpers.ts";

const NEWCOMER = `# Ours
nane: Knitting # the name
url: https://academy.example/knitting
provider: example-academy
short_description: 'Knit your first scarf.'
long_description: From casting on to binding off.
audo: English   # spoken
pace: self-paced
level: Beginner
prices:
  type: single-course
  prise: 49.90
  currency: EUR
instructors: Ada Lovelace
video: {type: youtube, id: dQw4w9WgXcQ} # see
assessments: yes
`;

const FIXED = `# Ours
name: Knitting # the name
url: https://academy.example/knitting
provider: example-academy
short_description: 'Knit your first scarf.'
long_description: From casting on to binding off.
audio: [en]   # spoken
pace: self_paced
level: [beginner]
prices:
  - type: single_course
    price: "49.90"
    currency: EUR
instructors:
  - name: Ada Lovelace
video: {type: youtube, id: dQw4w9WgXcQ} # see
assessments: true
`;

async function read({ folder }: Rig, name: string): Promise<string> {
  return await readFile(join(folder, name), "utf8");
}

describe("check --fix", () => {
  test("check --fix applies automatic fixes to the file, and a second run changes nothing", async () => {
    const r = await rig();
    await r.write("a.yaml", NEWCOMER);
    const ran = await r.run(["courses", "check", "--fix", "a.yaml"]);
    expect(ran.code).toBe(0);
    expect(await read(r, "a.yaml")).toBe(FIXED);
    const printed = lines(ran.stdout);
    expect(printed[0]).toBe('a.yaml:2:1: fixed: nane: "nane" → "name" [unknown-key]');
    expect(printed.slice(-2)).toEqual([
      expect.stringMatching(/^Fixed \d+ problems in 1 file\.$/),
      "1 file, 1 course: no problems",
    ]);
    const again = await r.run(["courses", "check", "--fix", "a.yaml"]);
    expect(lines(again.stdout)[0]).toBe("Fixed 0 problems.");
    expect(await read(r, "a.yaml")).toBe(FIXED);
  });

  test("check --fix --dry-run shows the fixes, writes nothing and exits with 3", async () => {
    const r = await rig();
    await r.write("a.yaml", NEWCOMER);
    const ran = await r.run(["courses", "check", "--fix", "--dry-run", "a.yaml"]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('pace: "self-paced" → "self_paced" [choice]');
    expect(await read(r, "a.yaml")).toBe(NEWCOMER);
  });

  test("check --fix keeps the digits of prices in JSON cells, and renames no column", async () => {
    const r = await rig();
    const valid =
      `name,url,provider,short_description,long_description,audio,pace,prices\n` +
      ["a", "b"].map((n) => `A,https://academy.example/${n},p,s,l,en,self_paced,$\n`).join("");
    const price = (amount: string) => `"[{""type"":""single_course"",""price"":${amount}}]"`;
    await r.write("a.csv", valid.replaceAll("$", price("49.90")));
    const ran = await r.run(["courses", "check", "--fix", "--json", "a.csv"]);
    expect(ran.code).toBe(0);
    const { fixes } = JSON.parse(ran.stdout);
    expect(fixes.map(({ line, rule }: FileFix) => `${line} ${rule}`)).toEqual(["2 type", "3 type"]);
    const fixed = valid.replaceAll("$", price('""49.90""'));
    expect(await read(r, "a.csv")).toBe(fixed);
    await r.write("a.csv", fixed.replace("name,", "nane,"));
    const renamed = await r.run(["courses", "check", "--fix", "a.csv"]);
    expect([renamed.code, await read(r, "a.csv")]).toEqual([3, fixed.replace("name,", "nane,")]);
    expect(renamed.stdout).toContain('Did you mean "name"?');
  });

  test("check --fix also corrects default values", async () => {
    const r = await rig();
    await r.write("c/catalog.defaults.yaml", "audio: English # spoken\n");
    await r.write("c/a.json", JSON.stringify({ ...course(), audio: undefined }));
    const ran = await r.run(["courses", "check", "--fix", "c"]);
    expect([ran.code, await read(r, "c/catalog.defaults.yaml")]).toEqual([
      0,
      "audio: [en] # spoken\n",
    ]);
    expect(ran.stdout).toContain("c/catalog.defaults.yaml:1:8: fixed: audio");
  });

  test("check --fix changes no amount that a decimal comma in brackets cut, and says why", async () => {
    const r = await rig();
    const { prices: _, ...rest } = course();
    const prices = (amount: string) =>
      `prices: [{type: single_course, price: ${amount}, currency: EUR}]\n`;
    for (const amount of ["49,90", "49,05", "1.234,00 EUR"]) {
      const text = `${JSON.stringify(rest).slice(0, -1)}, ${prices(amount).trim()}}`;
      await r.write("a.yaml", text);
      const { code, stdout } = await r.run(["courses", "check", "--fix", "a.yaml"]);
      expect({ code, text: await read(r, "a.yaml") }).toEqual({ code: 3, text });
      expect(stdout).toContain(
        'a decimal comma ends a value in brackets; write the amount as "49.90" [unknown-key]',
      );
      expect(stdout).toContain("1 error in 1 file");
    }
  });

  test("check --fix corrects a CSV file of a spreadsheet with decimal commas", async () => {
    const r = await rig();
    const rest = "https://academy.example/a;example-academy;s s;l l l;self_paced";
    const table = (header: string, cells: string): string =>
      `\ufeff${header};url;provider;short_description;long_description;pace\r\n${cells};${rest}\r\n`;
    const columns = "name;published;duration_in_hours;audio";
    await r.write("a.csv", table(columns, 'Stricken;WAHR;1,5;"Deutsch; English"'));
    const ran = await r.run(["courses", "check", "--fix", "a.csv"]);
    expect([ran.code, await read(r, "a.csv")]).toEqual([
      0,
      table(columns, 'Stricken;true;1.5;"de, en"'),
    ]);
  });

  test("check exits with 2 for --fix of standard input", async () => {
    const ran = await (await rig()).run(["courses", "check", "--fix", "-"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("--fix cannot change standard input");
  });
});

/** Damages of a valid file: a part of the file, and the text that replaces this part. */
const REPAIRABLE: readonly (readonly [string, string])[] = [
  ["name: Knitting", "nane: Knitting"],
  ["short_description:", "short_descripton:"],
  ["audio: [en]", "audio: English"],
  ["audio: [en]", "audio: [EN]"],
  ["self_paced", "self-paced"],
  ["level: [beginner]", "level: Beginner"],
  ["type: single_course", "type: single-course"],
  ['price: "49.90"', "price: 49.90"],
  ["assessments: true", "assessments: yes"],
];
const UNREPAIRABLE: readonly (readonly [string, string])[] = [
  ["Knitting # the name", "# the name"],
  ["audio: [en]", "audio: [xx]"],
  ["self_paced", "slow"],
  ["level: [beginner]", "level: [expert]"],
  ["currency: EUR", "currency: eur"],
  ['price: "49.90"', 'price: "49,90"'],
  ["assessments: true", "assessments: maybe"],
  ["url: https:", "url: htps:"],
  ["# Ours", "name: Twice\nname: Knitting"],
];

test("check --fix repairs only problems with an automatic fix in a folder and changes no other byte", async () => {
  const r = await rig();
  const count = scaleRuns(20);
  const expected = new Map<string, string>();
  const damages = [...REPAIRABLE, ...UNREPAIRABLE];
  for (let index = 0; index < count; index++) {
    const valid = FIXED.replace("/knitting", `/${index}`);
    const [part = "", damage = ""] = damages[index % damages.length] ?? [];
    expect(valid).toContain(part);
    const damaged = valid.replace(part, damage);
    const name = await r.write(`courses/${index}.yaml`, damaged);
    expected.set(name, index % damages.length < REPAIRABLE.length ? valid : damaged);
  }
  for (const _ of ["first run", "second run"]) {
    expect((await r.run(["courses", "check", "--fix", "courses"])).code).toBe(3);
    for (const [name, text] of expected) expect([name, await read(r, name)]).toEqual([name, text]);
  }
});

const WRONG = fc.constantFrom<unknown>(
  ...["English", "pt_BR", "pt-Brazil", "en, fr", "Beginner", "self-paced", "yes", "0", "49,90"],
  ...["$", "€", "Ada, Bob", "Ada", "https://vimeo.com/76979871", "https://x.example/a.mp4"],
  ...[49.9, 0, -1, true, null, [], {}, [[]], ["EN", "xx"], { name: "Ada" }, { title: 1 }],
  { type: "single-course", amount: 1.5, currency: "Euro" },
  { type: "youtube", url: "https://youtu.be/dQw4w9WgXcQ" },
);
const KEYS = fc.constantFrom(
  ...["title", "naem", "description", "summary", "language", "audio", "levl", "level", "price"],
  ...["prices", "link", "url", "video", "instructor", "instructors", "certificate", "id", "pace"],
  ...["number_of_lessons", "free_content", "duration", "what_you_will_learn", "image", "color"],
);

const WRITERS: readonly (readonly [SourceFormat, (value: object) => string])[] = [
  ["yaml", (value) => dump(value)],
  ["json", (value) => JSON.stringify(value, null, 2)],
  ["ndjson", (value) => `${JSON.stringify(value)}\n`],
  [
    "csv",
    (value) => {
      const cells = Object.values(value).map((cell) => cellText(cell, true));
      return `${Object.keys(value).join()}\n${cells.join()}\n`;
    },
  ],
];

async function fixedText(text: string, format: SourceFormat): Promise<string> {
  const fixed = await fixText(text, format, true);
  if ("reason" in fixed) throw new Error(fixed.reason);
  return fixed.text;
}

test("check --fix keeps what it does not fix, and a second run changes nothing in random files", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(KEYS, WRONG, { maxKeys: 5 }),
      fc.subarray(Object.keys(course())),
      fc.constantFrom(...WRITERS),
      async (wrong, left, [format, write]) => {
        const kept = Object.entries(course()).filter(([name]) => !left.includes(name));
        const text = write({ ...Object.fromEntries(kept), ...wrong });
        const fixed = await fixedText(text, format);
        expect(await fixedText(fixed, format)).toBe(fixed);
        const [before] = findCourses(await parseAs(format, text));
        const [after] = findCourses(await parseAs(format, fixed));
        const paths = checkCourse(before?.value).flatMap(({ path }) => String(path[0]));
        const isValid = ([name]: [string, unknown]): boolean => !paths.includes(name);
        const valid = Object.entries(before?.value ?? {}).filter(isValid);
        expect(after?.value ?? {}).toMatchObject(Object.fromEntries(valid));
      },
    ),
    { numRuns: scaleRuns(25) },
  );
});

/** Each field with a wrong value, and the suggestion. */
const SUGGESTIONS: readonly (readonly [string, unknown, string | undefined])[] = [
  ["audio", "English", '["en"]'],
  ["audio", ["Deutsch"], "de"],
  ["audio", ["Portuguese (Brazil)"], "pt-BR"],
  ["audio", ["Brazilian Portuguese"], "pt-BR"],
  ["audio", ["British English"], "en-GB"],
  ["audio", ["English (United Kingdom)"], "en-GB"],
  ["audio", ["zh_Taiwan"], "zh-TW"],
  ["audio", ["Deutsch-Austria"], "de-AT"],
  ["audio", ["pt-Brazil"], "pt-BR"],
  ["audio", ["en-Nowhere"], undefined],
  ["audio", "en, pt_BR", '["en","pt-BR"]'],
  ["level", "Beginner", '["beginner"]'],
  ["instructors", ["Ada Lovelace"], '{"name":"Ada Lovelace"}'],
  ["prices", [{ type: "single_course", price: "1", currency: "$" }], "USD"],
  ["prices", [{ type: "single_course", price: "1", currency: "British Pound" }], "GBP"],
  ["title", "Knitting", undefined],
  ["number_of_lessons", "0", undefined],
  ["image_url", "images.example/1.jpg", "https://images.example/1.jpg"],
  ["image_url", " https://images.example/1.jpg\u00a0", "https://images.example/1.jpg"],
  ["prices", [{ type: "single_course", price: "1.299,00 €", currency: "EUR" }], "1299.00"],
  ["provider_rating", { type: "scale", min: 1, max: 5, value: "4.5" }, "4.5"],
];

test.each(SUGGESTIONS)("check reads %s: %j and suggests %s", (field, value, suggestion) => {
  const problems = checkCourse(course({ [field]: value }));
  expect(problems.map((problem) => problem.suggestion)).toEqual([suggestion]);
});

describe("many problems", () => {
  async function withFindings(): Promise<Rig> {
    const r = await rig();
    const courses = Array.from({ length: 60 }, (_, index) => ({
      ...course({ url: `https://academy.example/${index}` }),
      pace: index < 40 ? "slow" : "self_paced",
      level: index < 40 ? [] : ["hard"],
    }));
    await r.write("a.json", JSON.stringify(courses, null, 1));
    return r;
  }

  test("check shows up to 50 problems on a terminal, and all of them with --all", async () => {
    const r = await withFindings();
    const shown = await r.run(["courses", "check", "a.json"], { terminal: true });
    expect(shown.stdout.match(/a\.json:\d+:\d+:/g)).toHaveLength(50);
    expect(shown.stdout).toContain("… and 10 more problems. To show all problems, pass --all.");
    const all = await r.run(["courses", "check", "--all", "a.json"], { terminal: true });
    expect(all.stdout.match(/a\.json:\d+:\d+:/g)).toHaveLength(60);
  });
});
