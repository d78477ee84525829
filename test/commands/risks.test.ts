import { expect, test } from "vitest";
import { id, jsonMessages, jsonRows, numberedCourse, rigWith } from "./helpers.ts";
import { push, rigWithTwoProviders, SCHOOL, writeRequests } from "./push-files.ts";

const LONG = "From casting on to binding off. ".repeat(4).trim();
const price = (amount: string, currency = "EUR") => [
  { type: "single_course", price: amount, currency },
];

test("push and diff show each kind of risk above the changes, and count them in the last notice", async () => {
  const old = { published: true, long_description: LONG, prices: price("10") };
  const r = await rigWith(...[1, 2, 3, 4, 5, 6].map((number) => numberedCourse(number, old)));
  const changed = [
    numberedCourse(1, { ...old, published: false }),
    numberedCourse(2, { ...old, prices: price("10", "USD") }),
    numberedCourse(3, { ...old, prices: price("99") }),
    numberedCourse(4, { ...old, url: "https://new.academy.example/4" }),
    numberedCourse(5, { ...old, long_description: "Short." }),
  ];
  await r.write("a.json", changed);
  const words = ["courses", "diff", "a.json", "--prune", "--report", "markdown=r.md"];
  const shown = await r.run([...words, "--report", "html=r.html"]);
  const first = [
    "Course 6: deleted",
    "Course 1: unpublished",
    "Course 2: currency of price 1: EUR → USD",
    "Course 3: price 1: 10 → 99",
    "Course 4: url: https://academy.example/4 → https://new.academy.example/4",
    "Course 5: long description is cut from 127 to 6 characters",
  ];
  expect(shown.stdout.split("\n\n")[0]).toBe(
    ["Look at these first:", ...first.map((text) => `! ${text}`)].join("\n"),
  );
  const markdown = await r.read("r.md");
  const listed = first.map((text) => `- \`${text}\`\n`).join("");
  expect(markdown).toContain(`Target: \`${r.sandbox.baseUrl} as Example Academy\``);
  expect(markdown).toContain(`**Look at these first:**\n\n${listed}`);
  expect(await r.read("r.html")).toMatch(
    /<h2 id="risks">Look at these first<\/h2>.*Course 6: deleted.*<main/s,
  );
  const rows = jsonRows(await r.run([...words, "--json"]));
  expect(rows.map(({ risks }) => risks)).toEqual(
    ["unpublish", "currency", "amount", "host", "text", "delete"].map((kind) => [kind]),
  );
  const pushed = await push(r, ["a.json", "--prune", "--yes", "--json"]);
  expect(jsonMessages(pushed).at(-1)).toMatchObject({ counts: { deleted: 1 }, risks: 6 });
  expect((await push(r, ["a.json", "--dry-run"])).stderr).not.toContain("Look at these first");
});

test("a plan with nothing but deletions lists them once", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", numberedCourse(1));
  const { stderr } = await push(r, ["a.json", "--prune", "--dry-run"]);
  expect(stderr.match(/Course 2/g)).toHaveLength(1);
});

test("diff and its reports list every risk, the worst kind first; push on a terminal lists the first 100", async () => {
  const numbers = Array.from({ length: 110 }, (_, number) => number + 1);
  const r = await rigWith(...numbers.map((number) => numberedCourse(number)));
  const changed = numbers.map((number) => ({ url: `https://new.academy.example/${number}` }));
  await r.write(
    "a.json",
    changed.slice(1).map((own, at) => numberedCourse(at + 2, own)),
  );
  const words = ["courses", "diff", "a.json", "--prune", "--report", "markdown=r.md"];
  const { stdout } = await r.run([...words, "--report", "html=r.html"]);
  expect(stdout.match(/^! Course \d+: /gm)).toHaveLength(110);
  expect(stdout).toMatch(
    /^Look at these first:\n! url changes in 109 courses\n! Course 1: deleted\n/,
  );
  const markdown = await r.read("r.md");
  expect(markdown.match(/^- `Course \d+: /gm)).toHaveLength(110);
  const page = await r.read("r.html");
  expect(page.match(/<p class="problem warning"><a href="#d\d+">/g)).toHaveLength(110);
  const terminal = { terminal: true, environment: { NO_COLOR: "1" } };
  const pushed = await push(r, ["a.json", "--concurrency", "16"], terminal);
  expect(pushed.stderr).toMatch(/(^! .*\n){100}… and 10 more\n~ /m);
});

test("a change of one field in more than 20 courses and half of the files is a risk, also of a saved plan, in JSON with field and count", async () => {
  const numbers = Array.from({ length: 21 }, (_, number) => number);
  const others = numbers.map((number) => numberedCourse(number + 100));
  const r = await rigWith(...numbers.map((number) => numberedCourse(number)), ...others);
  const changes = { pace: "instructor_paced" };
  await r.write(
    "a.json",
    numbers.map((number) => numberedCourse(number, changes)),
  );
  for (const words of ["a.json --out plan.ndjson", "--plan plan.ndjson"]) {
    const shown = await r.run(`courses diff ${words}`);
    expect(shown.stdout).toMatch(/^Look at these first:\n! pace changes in 21 courses\n\n~ /);
  }
  const pushed = await push(r, ["a.json", "--json"]);
  const many = { field: "pace", count: 21 };
  expect(jsonMessages(pushed).at(-1)).toMatchObject({
    counts: { updated: 21 },
    many,
    next: expect.stringMatching(/^To undo this run: catalog undo /),
  });
});

test("push, diff and update refuse a table in which letters of the catalog are question marks", async () => {
  const r = await rigWith(numberedCourse(1, { name: "エクセル入門 第9回" }), numberedCourse(2));
  await r.write("a.csv", `id,name\n${id(1)},?????? ?9?\n${id(2)},Warum?\n`);
  const ran = await r.run("courses update a.csv");
  expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
  expect(ran.stderr).toMatch(
    /^a\.csv:2:38: error: cell B2: name has question marks .*\[lost-characters\]$/m,
  );
  await r.write("b.json", [numberedCourse(1, { name: "?????? ?9?" }), numberedCourse(2)]);
  for (const command of ["push", "diff"]) {
    const refused = await r.run(["courses", command, "b.json", "--report", "codequality=r.json"]);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining("[lost-characters]"),
    ]);
    expect(await r.read("r.json")).toContain("lost-characters");
  }
});

test("the notice about providers that no file names is in every report", async () => {
  const theirs = { provider_id: SCHOOL.id, url: "https://school.example/2" };
  const r = await rigWithTwoProviders(numberedCourse(1), numberedCourse(2, theirs));
  await r.write("a.json", numberedCourse(1));
  const formats = ["html", "markdown", "junit", "sarif", "codequality"];
  const reports = formats.flatMap((format) => ["--report", `${format}=r.${format}`]);
  for (const command of ["diff", "push"]) {
    const ran = await r.run(["courses", command, "a.json", "--prune", ...reports]);
    expect(ran.code).toBe(0);
    for (const format of formats) {
      const text = await r.read(`r.${format}`);
      expect(text, format).toContain("Skipped 1 course of Example School");
    }
  }
});
