/** `check --fix` applies automatic fixes and changes nothing else; `check` suggests fixes for typical input of newcomers. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scaleRuns } from "../long.ts";
import { course, type Rig, rig } from "../rig.ts";
import { lines, numberedCourse, rigWith } from "./helpers.ts";

const NEWCOMER = `# Ours
naame: Knitting
url: https://academy.example/knitting
provider: example-academy
short_description: 'Knit your first scarf.'
long_description: From casting on to binding off.
audo: English   # spoken
pace: self-paced # the pace
level: Beginner
prices:
  - type: single-course
    prce: 49.90
    currency: EUR
instructors:
  - name: Ada Lovelace
video: {type: youtube, id: dQw4w9WgXcQ} # see
assessments: yes
`;

const FIXED = `# Ours
name: Knitting
url: https://academy.example/knitting
provider: example-academy
short_description: 'Knit your first scarf.'
long_description: From casting on to binding off.
audio: [en]   # spoken
pace: self_paced # the pace
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

test("check --fix applies automatic fixes to the file, and a second run changes nothing", async () => {
  const r = await rig();
  await r.write("a.yaml", NEWCOMER);
  const ran = await r.run("courses check --fix a.yaml");
  expect(ran.code).toBe(0);
  expect(await r.read("a.yaml")).toBe(FIXED);
  const printed = lines(ran.stdout);
  expect(printed[0]).toBe('a.yaml:2:1: fixed: naame: "naame" → "name" [unknown-field]');
  expect(printed.slice(-2)).toEqual([
    expect.stringMatching(/^Fixed \d+ problems in 1 file\.$/),
    "1 file, 1 course: no problems",
  ]);
  const again = await r.run("courses check --fix a.yaml");
  expect(lines(again.stdout)[0]).toBe("No automatic fixes.");
  expect(await r.read("a.yaml")).toBe(FIXED);
});

test("check --fix --dry-run shows the fixes, writes nothing and exits with 3", async () => {
  const r = await rig();
  await r.write("a.yaml", NEWCOMER);
  const ran = await r.run("courses check --fix --dry-run a.yaml");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain('pace: "self-paced" → "self_paced" [choice]');
  expect(await r.read("a.yaml")).toBe(NEWCOMER);
});

test("check --fix changes no amount that a decimal comma in brackets cut, and says why", async () => {
  const r = await rig();
  const { prices: _, ...rest } = course();
  const prices = (amount: string) =>
    `prices: [{type: single_course, price: ${amount}, currency: EUR}]\n`;
  for (const amount of ["49,90", "49,05", "1.234,00 EUR"]) {
    const text = `${JSON.stringify(rest).slice(0, -1)}, ${prices(amount).trim()}}`;
    await r.write("a.yaml", text);
    const { code, stdout } = await r.run("courses check --fix a.yaml");
    expect({ code, text: await r.read("a.yaml") }).toEqual({ code: 3, text });
    expect(stdout).toContain(
      'a decimal comma ends a value in brackets; write the amount as "49.90" [unknown-field]',
    );
    expect(stdout).toContain("1 error in 1 file");
  }
});

/** Damages of a valid file: a part of the file, and the text that replaces this part. */
const REPAIRABLE: readonly (readonly [string, string])[] = [
  ["name: Knitting", "nmae: Knitting"],
  ["short_description:", "short_descripton:"],
  ["From casting on to", "From <b>casting</b> on to"],
  ["audio: [en]", "audio: English"],
  ["audio: [en]", "audio: EN,"],
  ["audio: [en]", "audio: [EN]"],
  ["self_paced", "self-paced"],
  ["level: [beginner]", "level: Beginner"],
  ["type: single_course", "type: single-course"],
  ['price: "49.90"', "price: 49.90"],
  ["assessments: true", "assessments: yes"],
];
const UNREPAIRABLE: readonly (readonly [string, string])[] = [
  ["name: Knitting", "nane: Knitting"],
  ["name: Knitting", "name: # Knitting"],
  ["audio: [en]", "audio: [xx]"],
  ["self_paced", "slow"],
  ["level: [beginner]", "level: [expert]"],
  ["currency: EUR", "currency: eur"],
  ['price: "49.90"', 'price: "49,90"'],
  ["assessments: true", "assessments: maybe"],
  ["url: https:", "url: htps:"],
  ["# Ours", "name: Twice\nname: Knitting"],
];

test("check --fix leaves a workbook alone, and says where to fix it", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run("courses ls --out c.xlsx");
  const before = await readFile(join(r.folder, "c.xlsx"));
  const { stderr } = await r.run("courses check --fix c.xlsx");
  expect(stderr).toBe(
    "Skipped c.xlsx: --fix can only edit text in UTF-8. Fix the file in a spreadsheet program.\n",
  );
  expect(await readFile(join(r.folder, "c.xlsx"))).toEqual(before);
});

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
    expect((await r.run("courses check --fix courses")).code).toBe(3);
    for (const [name, text] of expected) expect([name, await r.read(name)]).toEqual([name, text]);
  }
});

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
  const shown = await r.run("courses check a.json", { terminal: true });
  expect(shown.stdout.match(/a\.json:\d+:\d+:/g)).toHaveLength(50);
  expect(shown.stdout).toContain("… and 10 more problems. To show all problems, pass --all.");
  const all = await r.run("courses check --all a.json", { terminal: true });
  expect(all.stdout.match(/a\.json:\d+:\d+:/g)).toHaveLength(60);
});
