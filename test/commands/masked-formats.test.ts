/** A key that the service echoes is masked before tables and blocks are laid out. */
import { expect, test } from "vitest";
import { MASK } from "../../src/base/secrets.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_PROVIDER, parseSeed } from "../../src/sandbox/seed.ts";
import { MemoryOutput, type Rig, rig, testClock } from "../rig.ts";
import { id, numberedCourse } from "./helpers.ts";

/** A key with every character that some format quotes or escapes. */
const KEY = `user."0a,b'c\\d:e#f{g}h%9`;
const ENVIRONMENT = { CATALOG_API_KEY: KEY };

/** A rig whose service echoes its key in a name and in a description. */
async function echoing(name = KEY): Promise<Rig> {
  const courses = [numberedCourse(1, { name, short_description: `It is ${KEY} here.` })];
  const seed = { users: [{ key: KEY, providers: [DEFAULT_PROVIDER], courses }] };
  return await rig({ seed: parseSeed(seed, testClock()) });
}

test("get masks a key that would be wrapped over two lines", async () => {
  const r = await echoing();
  for (const columns of [20, 33, 40, 46]) {
    const ran = await r.run(["courses", "get", id(1)], {
      ...{ terminal: true, columns, environment: ENVIRONMENT },
    });
    expect(ran.code).toBe(0);
    expect(ran.stdout.replace(/\s/g, "")).not.toContain("0a,b'c");
  }
});

test("push --prune masks a key in the question before many deletions", async () => {
  const courses = [1, 2, 3, 4, 5, 6, 7].map((number) => numberedCourse(number));
  const user = { key: KEY, providers: [{ ...DEFAULT_PROVIDER, name: KEY }], courses };
  const r = await rig({ seed: parseSeed({ users: [user] }, testClock()) });
  await r.write("a.json", JSON.stringify(numberedCourse(1)));
  const words = ["courses", "push", "a.json", "--prune", "--max-deletes", "6"];
  const ran = await r.run(words, { terminal: true, input: "n\n", environment: ENVIRONMENT });
  expect(ran.stderr.replace(/\s+/g, " ")).toContain(`7 courses of ${MASK}? Type 6 to confirm`);
});

test("plans and differences mask a key at which a long name would be shortened", async () => {
  const r = await echoing("x".repeat(185) + KEY);
  const changed = numberedCourse(1, { name: "New", short_description: "New" });
  await r.write("a/1.json", JSON.stringify(changed));
  for (const line of [
    "push --dry-run --prune",
    "push --dry-run",
    "diff",
    "pull --diff --dry-run",
  ]) {
    const [name = "", ...flags] = line.split(" ");
    const words = ["courses", name, "a", ...flags];
    const ran = await r.run(words, { terminal: true, environment: ENVIRONMENT });
    const text = `${ran.stdout}${ran.stderr}`.replace(/\s/g, "");
    expect(text).toContain("xxx");
    expect(text).not.toContain("0a,b'c");
  }
});

test.each([
  ["notice", ["courses", "rm", id(1), "--dry-run"], 180],
  ["question", ["courses", "rm", id(1)], 180],
] as const)("a %s masks a key at which a name is shortened", async (_, words, before) => {
  const name = "x".repeat(before) + KEY;
  const [providers, courses] = [[{ ...DEFAULT_PROVIDER, name }], [numberedCourse(1, { name })]];
  const seed = parseSeed({ users: [{ key: KEY, providers, courses }] }, testClock());
  const r = await rig({ seed });
  const input = { terminal: true, columns: 400, input: "n\n", environment: ENVIRONMENT };
  const ran = await r.run(words, input);
  const text = `${ran.stdout}${ran.stderr}`;
  expect(text).toContain(MASK);
  expect(text).not.toContain("0a,b");
});

test("check masks a key in a course file before it shortens the excerpt of the line", async () => {
  const r = await echoing();
  for (const before of [10, 16, 22]) {
    const value = "x".repeat(before) + KEY;
    await r.write("a.json", JSON.stringify(numberedCourse(1, { pace: value })));
    const words = ["courses", "check", "a.json"];
    const ran = await r.run(words, { terminal: true, columns: 50, environment: ENVIRONMENT });
    expect(ran.code).toBe(3);
    expect(ran.stdout.replace(/\s/g, "")).not.toMatch(/0a,b|h%9/);
  }
});

test("ls masks a key with special characters in a table, and its forms in URLs, JSON and Base64", async () => {
  const encoded = [
    KEY,
    encodeURIComponent(KEY),
    JSON.stringify(KEY).slice(1, -1),
    Buffer.from(`me:${KEY}`).toString("base64"),
    Buffer.from(KEY).toString("base64url"),
  ];
  const r = await echoing(encoded.join(" "));
  const words = ["courses", "ls", "-o", "table", "--fields", "name"];
  const { stdout } = await r.run(words, { environment: ENVIRONMENT });
  const [, name = ""] = stdout.split("\n");
  for (const form of encoded) expect(name).not.toContain(form);
  expect(name.split(" ").every((word) => word.includes(MASK))).toBe(true);
});

test("schema prints the same schema if the key is the name of a field", async () => {
  const r = await rig();
  const usual = (await r.run(["schema"])).stdout;
  for (const key of ["published", "short_description", "e.long_description"]) {
    const out = new MemoryOutput();
    // Not with the rig's `run`, which fails if the key, here the name of a field, is in the output.
    const environment = { CATALOG_API_KEY: key };
    await main(["schema"], r.system({ out, err: new MemoryOutput(), environment }));
    expect(out.text).toBe(usual);
  }
});
