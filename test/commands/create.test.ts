import { expect, test } from "vitest";
import { uuid5 } from "../core/plans.ts";
import { course, PROVIDER_ID, rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonRows,
  lines,
  numberedCourse,
  ownLines,
  requestsOf,
  rigWith,
  storedCourses,
} from "./helpers.ts";
import { courseWithoutId, json } from "./push-files.ts";

/** A course file in YAML, with one field per line. */
function yaml(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

test("create reads the catalog, sends one POST, and prints only the new id on stdout", async () => {
  const r = await rig();
  await r.write("intro.yaml", yaml(course()));
  const ran = await r.run("courses create intro.yaml");
  expect(ran).toMatchObject({
    code: 0,
    requests: [
      "GET /developer/v1/providers",
      "GET /developer/v1/courses?limit=100&offset=0",
      "POST /developer/v1/courses",
    ],
  });
  const [stored] = await storedCourses(r);
  expect(ran.stdout).toBe(`${stored?.id}\n`);
  expect(stored).toMatchObject(course());
  expect(ownLines(ran.stderr)).toEqual(["Created 1 course."]);
});

test("create accepts JSON files, JSON arrays, several YAML documents and folders", async () => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1));
  await r.write("b.json", [numberedCourse(2), numberedCourse(3)]);
  await r.write("c.yml", [numberedCourse(4), numberedCourse(5)].map(yaml).join("---\n"));
  await r.write("more/deep/d.yaml", yaml(numberedCourse(6)));
  await r.write("more/.hidden/e.yaml", yaml(numberedCourse(7)));
  await r.write("more/package.json", "{}");
  const ran = await r.run("courses create c.yml a.json b.json more");
  expect(ran.code).toBe(0);
  expect(lines(ran.stdout)).toEqual([4, 5, 1, 2, 3, 6].map(id));
});

test("create prints the ids in the order of the input with parallel requests", async () => {
  const r = await rig();
  await r.write(
    "all.json",
    Array.from({ length: 40 }, (_, index) => numberedCourse(index)),
  );
  const ran = await r.run("courses create all.json --concurrency 16");
  expect(lines(ran.stdout)).toEqual(Array.from({ length: 40 }, (_, index) => id(index)));
});

test("create exits with 3 and lists the candidates if the provider is unknown", async () => {
  const r = await rig();
  const { provider_id: _, ...rest } = course();
  await r.write("a.yaml", yaml({ ...rest, provider: "example-acadmy" }));
  const ran = await r.run("courses create a.yaml");
  expect([ran.code, ran.stdout, requestsOf(ran, "POST")]).toEqual([3, "", []]);
  expect(ran.stderr).toContain("a.yaml:7:11");
  expect(ran.stderr).toContain("example-academy");
});

test("create exits with 3 and gives the position of a url on the website of no provider of the user", async () => {
  const r = await rig();
  await r.write("a.yaml", yaml(course({ url: "https://elsewhere.example/x" })));
  const ran = await r.run("courses create a.yaml");
  expect([ran.code, requestsOf(ran, "POST")]).toEqual([3, []]);
  expect(ran.stderr).toContain("a.yaml:2:6");
});

const SEWING = {
  name: "Sewing",
  url: "https://academy.example/sewing",
  pace: "instructor_paced",
  audio: ["en", "pt-BR"],
  short_description: "Short.",
  long_description: "Long.",
};
const FLAGS = Object.entries({ ...SEWING, provider: "example-academy" }).flatMap(
  ([name, value]) => [`--${name.replace("_", "-")}`, String(value)],
);

test("create accepts a complete course from flags alone", async () => {
  const r = await rig();
  const ran = await r.run(["courses", "create", ...FLAGS]);
  expect([ran.code, lines(ran.stdout).length]).toEqual([0, 1]);
  expect(await storedCourses(r)).toMatchObject([{ ...SEWING, provider_id: PROVIDER_ID }]);
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

test("create sends nothing if a file has a syntax error or cannot be read", async () => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1));
  await r.write("b.yaml", "name: [");
  await r.write("c.yaml", yaml(course({ pace: "self-paced" })));
  const ran = await r.run("courses create a.json b.yaml c.yaml absent.yaml");
  expectRefused(ran, 3);
  expect(ran.stderr).toContain("b.yaml:1:");
  expect(ran.stderr).toContain("c.yaml:7:7");
  expect(ran.stderr).toContain("absent.yaml");
});

test.each(["id", "url"])("create refuses the same %s in two files", async (field) => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1));
  const other = numberedCourse(2, { [field]: numberedCourse(1)[field] });
  await r.write("b.json", json(field === "id" ? other : { ...other, id: undefined }));
  const ran = await r.run("courses create a.json b.json");
  expectRefused(ran, 3);
  expect(ran.stderr).toMatch(new RegExp(`b\\.json:1:\\d+: error: same ${field} as .*a\\.json:1`));
});

test("create fails for each course that exists and creates the others", async () => {
  const r = await rigWith();
  await r.write("a.json", [courseWithoutId(1), courseWithoutId(2, { key: "SKU-2" })]);
  const first = await r.run("courses create a.json");
  const ids = [uuid5("https://academy.example/1"), uuid5("key:SKU-2")];
  expect([first.code, lines(first.stdout)]).toEqual([0, ids]);
  const again = await r.run("courses create a.json");
  expect([again.code, again.stdout, requestsOf(again, "POST")]).toEqual([1, "", []]);
  expect(again.stderr).toContain(
    `a course with this url exists: ${ids[0]}; to update it, use push`,
  );
  expect(again.stderr).toContain(
    `a course with this key exists: ${ids[1]}; to update it, use push`,
  );
  await r.write("a.json", [courseWithoutId(1), courseWithoutId(3)]);
  const ran = await r.run("courses create a.json");
  expect([ran.code, lines(ran.stdout)]).toEqual([1, [uuid5("https://academy.example/3")]]);
  expect(ran.stderr).toContain("Created 1 course. 1 failed.\n");
  expect(await storedCourses(r)).toHaveLength(3);
});

test.each([1, 30])(
  "create finds existing courses of %i files by id or url in a catalog of 120 courses",
  async (count) => {
    const all = Array.from({ length: 120 }, (_, number) => numberedCourse(number + 1));
    const r = await rigWith(...all);
    const courses = Array.from({ length: count }, (_, number) => {
      return { ...courseWithoutId(number + 91), name: "New name" };
    });
    await r.write("a.json", courses);
    for (const command of ["create", "push"]) {
      const ran = await r.run(["courses", command, "a.json", "--json"]);
      expect(requestsOf(ran, "POST")).toEqual([]);
      expect(jsonRows(ran)[0]).toMatchObject({ id: id(91) });
    }
  },
);
