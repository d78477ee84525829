import { expect, test } from "vitest";
import { uuid5 } from "../core/plans.ts";
import { course, rig } from "../rig.ts";
import { expectRefused, id, lines, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import { courseWithoutId, READS, writeRequests } from "./push-files.ts";

/** A rig with a file a.json of one course. */
async function rigWithFile(changes: Readonly<Record<string, unknown>> = {}) {
  const r = await rig();
  await r.write("a.json", course(changes));
  return r;
}

test("create reads the catalog, sends one POST, and prints only the new id on stdout", async () => {
  const r = await rigWithFile();
  const ran = await r.run("courses create a.json");
  expect([ran.code, ran.requests]).toEqual([0, [...READS, "POST /developer/v1/courses"]]);
  const [stored] = await storedCourses(r);
  expect(ran.stdout).toBe(`${stored?.id}\n`);
  expect(stored).toMatchObject(course());
  expect(ran.stderr).toMatch(/\nCreated 1 course\.\n/);
});

test("create prints the ids in the order of the input with parallel requests", async () => {
  const r = await rig();
  const courses = Array.from({ length: 40 }, (_, number) => numberedCourse(number));
  await r.write("all.json", courses);
  const ran = await r.run("courses create all.json --concurrency 16");
  expect(lines(ran.stdout)).toEqual(courses.map(({ id }) => id));
});

test("create exits with 3 and lists the candidates if the provider is unknown", async () => {
  const r = await rigWithFile({ provider_id: undefined, provider: "example-acadmy" });
  const ran = await r.run("courses create a.json");
  expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([3, "", []]);
  expect(ran.stderr).toMatch(/a\.json:1:\d+: error: .*example-academy/);
});

test("create accepts a complete course from flags alone", async () => {
  const r = await rig();
  const { provider_id, ...fields } = course({ audio: ["en", "pt-BR"] });
  const typed = Object.entries({ ...fields, provider: "example-academy" });
  const flags = typed.map(([name, value]) => `--${name.replace("_", "-")}=${value}`);
  const ran = await r.run(["courses", "create", ...flags]);
  expect([ran.code, lines(ran.stdout).length]).toEqual([0, 1]);
  expect(await storedCourses(r)).toMatchObject([{ ...fields, provider_id }]);
});

test.each([
  ["number_of_lessons=12", { number_of_lessons: 12 }],
  ["name=Not [JSON", { name: "Not [JSON" }],
  ['name={"a":1}', { name: '{"a":1}' }],
  ["free_content=true", { free_content: true }],
  ["level=advanced", { level: ["advanced"] }],
  ['level=["beginner"]', { level: ["beginner"] }],
  ["level=null", { level: [] }],
  ["prices[0].currency=EUR", { prices: [{ type: "single_course", price: "1", currency: "EUR" }] }],
  ['prices={"type":"subscription"}', { prices: [{ type: "subscription" }] }],
  ["video.id=x=y", { video: { type: "youtube", id: "x=y" } }],
])(
  "create --set reads its value as JSON or as a string, as the field needs, and accepts paths: %s",
  async (typed, stored) => {
    const prices = [{ type: "single_course", price: "1", currency: "USD" }];
    const r = await rigWithFile({ prices, video: { type: "youtube", id: "a" } });
    expect((await r.run(["courses", "create", "a.json", "--set", typed])).code).toBe(0);
    expect(await storedCourses(r)).toMatchObject([stored]);
  },
);

test("create lists each field that the flags lack on a separate line, and where to give it", async () => {
  const ran = await (await rig()).run(
    "courses create --name Sewing --url https://academy.example/s",
  );
  expectRefused(ran, 2);
  const missing = ["short_description", "long_description", "audio", "provider", "pace"];
  const text = missing.map((name) => `${name} is missing`).join("\n    ");
  const advice = "  Pass each missing field as a flag, or pass a course file.";
  expect(ran.stderr).toBe(`error: ${text}\n${advice}\n`);
});

test.each([
  [["--pace", "fast"], "--pace"],
  [["--name", " "], "--name"],
  [["--set", "pase=fast"], 'Did you mean "pace"?'],
  [["--set", "prices[0].currency=XXQ"], "--set prices[0].currency"],
  [["--set", "pace"], "path=value"],
  [["--set", "approval_status=approved"], "approval_status"],
  [["--unset", "naem"], 'Did you mean "name"?'],
  [["--unset", "name"], "name is required, so --unset cannot clear it"],
  [["--unset", "prices[0]"], "--unset prices[0]"],
  [["--set", "__proto__.polluted=1"], "__proto__"],
  [["--set", "level=Beginner"], 'Did you mean "beginner"?'],
  [["--set", "certificate=yes"], 'certificate must be an object, such as {"type":"paid",'],
])("create exits with 2 and names the flag for %j", async (words, names) => {
  const r = await rigWithFile();
  const ran = await r.run(["courses", "create", "a.json", ...words]);
  expectRefused(ran, 2);
  expect(ran.stderr).toContain(names);
  // A flag reads JSON, not YAML.
  expect(ran.stderr).not.toContain("[beginner]");
});

test("create fails for each course that exists and creates the others", async () => {
  const r = await rig();
  const known = [courseWithoutId(1), courseWithoutId(2, { key: "SKU-2" })];
  const [one, two] = [uuid5("https://academy.example/1"), uuid5("key:SKU-2")];
  await r.write("a.json", known);
  expect((await r.run("courses create a.json")).stdout).toBe(`${one}\n${two}\n`);
  await r.write("a.json", [...known, courseWithoutId(3)]);
  const ran = await r.run("courses create a.json");
  expect([ran.code, ran.stdout]).toEqual([1, `${uuid5("https://academy.example/3")}\n`]);
  expect(writeRequests(ran)).toHaveLength(1);
  expect(ran.stderr).toContain(`a course with this url exists: ${one}; to update it, use push`);
  expect(ran.stderr).toContain(`a course with this key exists: ${two}; to update it, use push`);
  expect(ran.stderr).toContain("Created 1 course. 2 failed.\n");
});

test.each([1, 30])(
  "create finds existing courses of %i files by id or url in a catalog of 120 courses",
  async (count) => {
    const all = Array.from({ length: 120 }, (_, number) => numberedCourse(number + 1));
    const r = await rigWith(...all);
    const found = all.slice(90, 90 + count);
    await r.write(
      "a.json",
      found.map((each) => ({ ...each, id: undefined, name: "New name" })),
    );
    for (const command of ["create", "push"]) {
      const ran = await r.run(`courses ${command} a.json --json`);
      expect(ran.requests.filter((line) => line.startsWith("POST"))).toEqual([]);
      expect(JSON.parse(ran.stdout)[0]).toMatchObject({ id: id(91) });
    }
  },
);
