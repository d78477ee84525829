/** `check --fix` applies automatic fixes and changes nothing else; `check` suggests fixes for typical input of newcomers. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { lines, numberedCourse, rigWith } from "./helpers.ts";

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

/** Replaces parts of the text, as a newcomer writes them. */
function damage(replacements: readonly (readonly [part: string, damage: string])[]): string {
  return replacements.reduce((text, [part, damaged]) => {
    expect(text).toContain(part);
    return text.replace(part, damaged);
  }, FIXED);
}

const NEWCOMER = damage([
  ["name: Knitting", "naame: Knitting"],
  ["From casting on to", "From <b>casting</b> on to"],
  ["audio: [en]", "audo: English"],
  ["self_paced", "self-paced"],
  ["level: [beginner]", "level: Beginner"],
  ["type: single_course", "type: single-course"],
  ['price: "49.90"', "prce: 49.90"],
  ["assessments: true", "assessments: yes"],
]);

test("check --fix applies automatic fixes to the file, and a second run changes nothing", async () => {
  const r = await rig();
  await r.write("a.yaml", NEWCOMER);
  const ran = await r.run("courses check --fix a.yaml");
  expect(ran.code).toBe(0);
  expect(await r.read("a.yaml")).toBe(FIXED);
  const [first, ...others] = lines(ran.stdout);
  expect(first).toBe('a.yaml:2:1: fixed: naame: "naame" → "name" [unknown-field]');
  expect(others.at(-2)).toMatch(/^Fixed \d+ problems in 1 file\.$/);
  const again = await r.run("courses check --fix a.yaml");
  expect(lines(again.stdout)[0]).toBe("No automatic fixes.");
});

test.each(["49,90", "1.234,00 EUR"])(
  "check --fix changes no amount that a decimal comma in brackets cut, and says why: %s",
  async (amount) => {
    const r = await rig();
    const price = `{type: single_course, price: ${amount}, currency: EUR}`;
    const text = `${JSON.stringify(course()).slice(0, -1)}, prices: [${price}]}`;
    await r.write("a.yaml", text);
    const { code, stdout } = await r.run("courses check --fix a.yaml");
    expect([code, await r.read("a.yaml")]).toEqual([3, text]);
    expect(stdout).toMatch(
      /a decimal comma ends a value in brackets; write the amount as "49\.90" \[unknown-field\]\n1 error in 1 file/,
    );
  },
);

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
  const kept = [
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
  ] as const;
  const texts = [FIXED, ...kept.map((one) => damage([one]))];
  for (const [index, text] of texts.entries()) {
    const damaged = index === 0 ? NEWCOMER : text;
    await r.write(`c/${index}.yaml`, damaged.replace("/knitting", `/${index}`));
  }
  expect((await r.run("courses check --fix c")).code).toBe(3);
  for (const [index, text] of texts.entries()) {
    expect(await r.read(`c/${index}.yaml`)).toBe(text.replace("/knitting", `/${index}`));
  }
});

test("check shows up to 50 problems on a terminal, and all of them with --all", async () => {
  const r = await rig();
  const courses = Array.from({ length: 60 }, (_, n) => numberedCourse(n, { pace: "slow" }));
  await r.write("a.json", courses);
  const shown = await r.run("courses check a.json", { terminal: true });
  expect(shown.stdout.match(/a\.json:\d+:\d+:/g)).toHaveLength(50);
  expect(shown.stdout).toContain("… and 10 more problems. To show all problems, pass --all.");
  const all = await r.run("courses check --all a.json", { terminal: true });
  expect(all.stdout.match(/a\.json:\d+:\d+:/g)).toHaveLength(60);
});
