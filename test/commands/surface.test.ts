import { expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import {
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  rigWith,
} from "./helpers.ts";

test.each([
  ["apply", "courses push"],
  ["sync", "courses push"],
  ["upload", "courses push"],
  ["deploy", "courses push"],
  ["plan", "courses diff"],
  ["export", "courses pull"],
  ["download", "courses pull"],
  ["dump", "courses pull"],
  ["lint", "courses check"],
  ["validate", "courses check"],
  ["auth", "login"],
])("the word %s gets a sentence that says to use %s", async (word, use) => {
  const ran = await (await rig()).run([word, "courses/"]);
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining(`unknown command "${word}"\n  Use "catalog ${use}".`),
  ]);
});

test.each([
  ["-version", "Did you mean --version?"],
  ["courses push . -dry-run", "Did you mean --dry-run?"],
  ["courses push . --auto-approve", "Pass --yes."],
])("the flags of other tools in %s get a sentence that says what to type", async (line, advice) => {
  const ran = await (await rig()).run(line);
  expect([ran.code, ran.stderr.split("\n  ")[1]]).toEqual([2, `${advice}\n`]);
});

test.each([
  ["explain prices[0].nope", 'Run "catalog explain prices" for its parts.'],
  ["courses get files/a.yaml", "Pass an id, key or url, not a file."],
  ["courses diff files --base nope", "the base nope does not exist, or contains no course"],
  ["courses diff --plan nope.ndjson", "cannot read nope.ndjson: no such file or directory"],
  [`courses update ${id(1)} --unset prices[3]`, "prices of the course has 0 entries"],
  ["courses check files", "1 error in 1 of 2 files", "audio: [xx]"],
  ["help xyzzy", 'unknown command "xyzzy"\n  Run "catalog --help" for the list of commands.\n'],
  ["nope --help", 'unknown command "nope"\n  Run "catalog --help" for the list of commands.\n'],
  ["courses check files --watch -o json", "--watch shows problems only as text"],
  ["courses import https://example.com/sitemap.xml", "Save the page first, then import the file."],
])("catalog %s says: %s", async (line, sentence, defaults = "") => {
  const r = await rigWith(course({ id: id(1) }));
  await r.write("files/a.yaml", numberedCourse(2));
  await r.write("files/catalog.defaults.yaml", defaults);
  const ran = await r.run(line);
  expect(ran.code).toBeGreaterThan(1);
  expect(ran.stderr + ran.stdout).toContain(sentence);
});

test("the first page of help explains each global flag and each exit code in a line of its own", async () => {
  const { stdout } = await (await rig()).run("help");
  expect(stdout).toMatch(/^ {2}-q, --quiet +print nothing but errors$/m);
  expect(stdout).toMatch(/^ {2}--timeout <seconds> +timeout per request/m);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7])
    expect(stdout).toMatch(new RegExp(`^ {2}${code} +[a-z]`, "m"));
  expect((await (await rig()).run("courses --help")).stdout).not.toContain("Exit codes");
});

test("check -q prints errors only, and nothing without errors", async () => {
  const r = await rig();
  await r.write("good.json", course({ name: "W " }));
  expect(await r.run("courses check good.json -q")).toMatchObject({
    code: 0,
    stdout: "",
  });
  const fixed = await r.run("courses check good.json -q --fix --dry-run");
  expect(fixed).toMatchObject({ code: 0, stdout: "" });
  await r.write("bad.json", course({ name: "W ", pace: "fast" }));
  const { code, stdout } = await r.run("courses check bad.json -q");
  expect([code, lines(stdout)]).toEqual([3, [expect.stringContaining("error: pace must be")]]);
});

test.each(["diff", "push", "create"])(
  "%s counts the warnings of files in a notice",
  async (command) => {
    const r = await rig();
    await r.write("a.json", course({ name: "W ", approval_status: "x" }));
    const ran = await r.run(["courses", command, "a.json"]);
    expect(ran.stderr).toContain('2 warnings, which "catalog courses check" shows.\n');
    expect((await r.run(["courses", command, "a.json", "-q"])).stderr).not.toContain("warning");
  },
);

test.each([
  ["courses ls --fields prices[0].prize", 'Did you mean "prices[0].price"?'],
  ["courses ls --fields name.foo", "See: catalog explain name"],
  ["history --fields action", "actor"],
  ["history run.ndjson --fields baseUrl", "Available fields: id, name"],
  ["status --fields name", "--fields is not available for status"],
])("%s is refused, because its rows cannot have the field", async (line, next) => {
  const r = await rigWith(numberedCourse(1));
  await r.run(`courses publish ${id(1)} --record run.ndjson`);
  const ran = await r.run(line);
  expect([ran.code, ran.requests, ran.stderr]).toEqual([2, [], expect.stringContaining(next)]);
});

test("a dry run that would fail says so in the words of its rows, and counts once in JSON", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.json", numberedCourse(1));
  const words = ["courses", "create", "a.json", "--dry-run"];
  const { stderr } = await r.run(words);
  expect(lines(stderr)).toContain("1 course would fail.");
  const ran = await r.run([...words, "--json"]);
  expect(jsonRows(ran)).toMatchObject([{ status: "failed" }]);
  const counted = jsonMessages(ran).filter((message) => "counts" in message);
  expect(counted).toMatchObject([
    { notice: "1 course would fail.", counts: { failed: 1, skipped: 0 } },
  ]);
});

test("history names the service where the runs are of more than one", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run(`courses publish ${id(1)}`);
  await r.run(`courses unpublish ${id(1)}`);
  const terminal = { terminal: true, columns: 80, environment: { NO_COLOR: "1" } };
  expect((await r.run("history", terminal)).stdout).not.toContain("SERVICE");
  const other = await rigWith(numberedCourse(1));
  const environment = { CATALOG_BASE_URL: other.sandbox.baseUrl };
  r.shortcuts.set(other.sandbox.baseUrl, other.shortcuts.get(other.sandbox.baseUrl) as never);
  expect(await r.run(`courses unpublish ${id(1)}`, { environment })).toMatchObject({ code: 0 });
  const { stdout } = await r.run("history", terminal);
  expect(stdout).toMatch(/^RUN +SERVICE +COMMAND +CHANGES +…$/m);
  expect(stdout).toContain(new URL(other.sandbox.baseUrl).host);
});

test("status shows every setting where one is empty, and the account by name", async () => {
  const r = await rig();
  const shown = await r.run("status -o csv");
  expect(shown.stdout).toContain("account,Example Academy,service");
  const ran = await r.run("status -o csv", { environment: { CATALOG_API_KEY: "" } });
  expect([ran.code, ran.requests]).toEqual([4, []]);
  expect(ran.stdout).toContain("apiKey,,,CATALOG_API_KEY is set but empty");
  expect(ran.stdout).toContain(`baseUrl,${r.sandbox.baseUrl},environment,CATALOG_BASE_URL`);
});

test("ls --out says that it wrote a file, and that it replaced one; --excel accepts an extension in any case", async () => {
  const r = await rigWith(numberedCourse(1));
  const ls = ["courses", "ls", "--out", "x.CSV", "--excel"];
  expect((await r.run(ls)).stderr).toContain("Wrote x.CSV.\n");
  expect((await r.run(ls)).stderr).toContain("Replaced x.CSV.\n");
});

test.each(["", "[]", "\n"])("update - without records (%j) has nothing to do", async (input) => {
  const ran = await (await rig()).run("courses update -", { input });
  expect(ran).toMatchObject({ code: 0, stderr: "Already up to date.\n" });
});

test("update - with a flag that does not fit a course names the course and what to add", async () => {
  const r = await rigWith(numberedCourse(1));
  const words = ["courses", "update", "-", "--set", "prices[0].price=12.00"];
  const ran = await r.run([...words, "--json"], { input: `${id(1)}\n` });
  expect([ran.code, jsonErrors(ran)]).toMatchObject([
    2,
    [{ message: expect.stringContaining(`"Course 1" (${id(1)}): prices[0].`) }],
  ]);
  expect(jsonErrors(ran)[0]?.next).toContain("--set 'prices[0].type=");
});
