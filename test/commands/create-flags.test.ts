import { expect, test } from "vitest";
import { course, PROVIDER_ID, rig } from "../rig.ts";
import { expectRefused, lines, ownLines, storedCourses } from "./helpers.ts";

/** A course file in YAML, with one field per line. */
function yaml(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

const FLAGS = [
  ["--name", "Sewing"],
  ["--url", "https://academy.example/sewing"],
  ["--provider", "example-academy"],
  ["--pace", "instructor_paced"],
  ["--audio", "en,pt-BR"],
  ["--short-description", "Short."],
  ["--long-description", "Long."],
].flat();
const SEWING = {
  name: "Sewing",
  url: "https://academy.example/sewing",
  provider_id: PROVIDER_ID,
  pace: "instructor_paced",
  audio: ["en", "pt-BR"],
  short_description: "Short.",
  long_description: "Long.",
};

test("create accepts a complete course from flags alone", async () => {
  const r = await rig();
  const ran = await r.run(["courses", "create", ...FLAGS]);
  expect([ran.code, lines(ran.stdout).length]).toEqual([0, 1]);
  expect(await storedCourses(r)).toMatchObject([SEWING]);
});

test("create --set reads its value as JSON or as a string, and accepts paths", async () => {
  const r = await rig();
  await r.write("a.yaml", yaml(course({ prices: [{ type: "single_course", price: "1" }] })));
  const ran = await r.run([
    ..."courses create a.yaml --set number_of_lessons=12 --set prices[0].currency=EUR".split(" "),
    ...["--set", "name=Not [JSON", "--set", 'level=["beginner"]', "--set", "free_content=true"],
    ...["--set", 'prices[0].price="2.50"', "--set", "video.type=youtube", "--set", "video.id=x=y"],
  ]);
  expect([ran.code, ownLines(ran.stderr)]).toEqual([0, ["Created 1 course."]]);
  expect(await storedCourses(r)).toMatchObject([
    {
      name: "Not [JSON",
      number_of_lessons: 12,
      level: ["beginner"],
      free_content: true,
      prices: [{ type: "single_course", price: "2.50", currency: "EUR" }],
      video: { type: "youtube", id: "x=y" },
    },
  ]);
});

test.each([
  ["level=advanced", { level: ["advanced"] }],
  ["level=null", { level: [] }],
  ["subtitles_text=de", { subtitles_text: ["de"] }],
  [
    'prices={"type":"single_course","price":"1","currency":"EUR"}',
    { prices: [{ type: "single_course", price: "1", currency: "EUR" }] },
  ],
  ['name={"a":1}', { name: '{"a":1}' }],
])(
  "create --set makes a list of a single value, and text of JSON that does not fit the field: %s",
  async (typed, stored) => {
    const r = await rig();
    await r.write("a.yaml", yaml(course()));
    expect((await r.run(["courses", "create", "a.yaml", "--set", typed])).code).toBe(0);
    expect(await storedCourses(r)).toMatchObject([stored]);
  },
);

test("create lists each field that the flags lack on a separate line, and where to give it", async () => {
  const ran = await (await rig()).run("courses create --name Sewing");
  expectRefused(ran, 2);
  const missing = ["url", "short_description", "long_description", "audio", "provider", "pace"];
  const text = missing.map((name) => `${name} is missing`).join("\n    ");
  const advice = "  Pass each missing field as a flag, or pass a course file.";
  expect(ran.stderr).toBe(`error: ${text}\n${advice}\n`);
});

test.each([
  [["--pace", "fast"], "--pace"],
  [["--audio", "xx"], "--audio"],
  [["--url", "no url"], "--url"],
  [["--name", " "], "--name"],
  [["--set", "pase=fast"], 'Did you mean "pace"?'],
  [["--set", "pace=fast"], "--set pace"],
  [["--set", "prices[0].currency=XXQ"], "--set prices[0].currency"],
  [["--set", "pace"], "path=value"],
  [["--set", "=1"], "path=value"],
  [["--set", "prices[=1"], "--set"],
  [["--set", "approval_status=approved"], "approval_status"],
  [["--unset", "naem"], 'Did you mean "name"?'],
  [["--unset", "name"], "name is required, so --unset cannot clear it"],
  [["--unset", "prices[0]"], "--unset prices[0]"],
  [["--set", "__proto__.polluted=1"], "__proto__"],
  [["--set", "level=Beginner"], 'Did you mean "beginner"?'],
  [
    ["--set", "certificate=yes"],
    'certificate must be an object, such as {"type":"paid","price":"39.00","currency":"EUR"}, not "yes" (--set certificate)',
  ],
])("create exits with 2 and names the flag for %j", async (words, names) => {
  const r = await rig();
  await r.write("a.yaml", yaml(course()));
  const ran = await r.run(["courses", "create", "a.yaml", ...words]);
  expectRefused(ran, 2);
  expect(ran.stderr).toContain(names);
  // A flag reads JSON, not YAML.
  expect(ran.stderr).not.toContain("[beginner]");
});
