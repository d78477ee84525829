/** The API key is replaced in text of catalog, and data that contains it is written as it is. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { id, numberedCourse, rigWith, unreliableService } from "../commands/helpers.ts";
import { type Rig, rig, testClock } from "../rig.ts";

const KEY = "person.fedcba9876543210";

/** A service that echoes the key in every failure, after a long text so that lines wrap within the key. */
async function echo(r: Rig, key: string): Promise<Record<string, string>> {
  const hint = `${"x".repeat(55)} ${key} and the latest key`;
  const body = JSON.stringify({ hint, details: key });
  const { environment } = await unreliableService(r, () => ({ status: 400, body }));
  return { ...environment, CATALOG_API_KEY: key };
}

test("an API key that the service echoes is replaced before text is wrapped or cut", async () => {
  const r = await rig();
  const environment = await echo(r, KEY);
  await r.write("a.json", JSON.stringify(numberedCourse(1)));
  for (const line of [
    "courses ls -v",
    "courses ls --json",
    "courses push a.json",
    "courses create a.json --json",
    "courses check --online a.json",
    "courses diff a.json --report markdown=report.md --report html=report.html",
    "status",
  ]) {
    for (const columns of [40, 72, 80]) {
      const ran = await r.run(line, { environment, terminal: true, columns });
      const text = (ran.stdout + ran.stderr).replace(/\s/g, "");
      expect([line, ran.code]).not.toEqual([line, 0]);
      expect(text).toContain("********");
      expect(text).not.toMatch(/person\.|fedcba|76543210/);
    }
  }
  for (const name of ["report.md", "report.html"]) {
    expect(await readFile(join(r.folder, name), "utf8")).not.toContain("fedcba");
  }
});

test("an API key that begins with another one of the run is replaced completely", async () => {
  const r = await rig();
  const environment = await echo(r, `${KEY}.longer`);
  const words = ["login", "--with-key", "--base-url", environment.CATALOG_BASE_URL ?? ""];
  const ran = await r.run(words, { environment: { CATALOG_API_KEY: KEY }, input: `${KEY}.longer` });
  const text = (ran.stdout + ran.stderr).replace(/\s/g, "");
  expect([ran.code, text]).toEqual([1, expect.stringContaining("********")]);
  expect(text).not.toContain("longer");
});

test("an API key with quotes is replaced in JSON, too", async () => {
  const key = 'person"fedcba\\9876543210';
  const r = await rig();
  const environment = await echo(r, key);
  for (const line of ["courses ls --json", "status --json", "courses ls", "courses ls -v"]) {
    const ran = await r.run(line, { environment });
    const text = (ran.stdout + ran.stderr).replace(/\s/g, "");
    expect(text).toContain("********");
    expect(text).not.toMatch(/person|fedcba|9876/);
  }
});

test("an API key of fewer than eight characters is not replaced, because it may be ordinary text", async () => {
  const r = await rig();
  const ran = await r.run("courses ls", { environment: await echo(r, "test") });
  expect(ran.stderr.replace(/\s+/g, " ")).toContain("and the latest key");
});

/** A rig with a course, and a provider whose name ends with the key. */
async function rigNamed(start: string): Promise<Rig> {
  const { users } = parseSeeds([[numberedCourse(1)]], testClock());
  const named = users.map((user) => {
    const providers = user.providers.map((each) => ({ ...each, name: start + user.key }));
    return { ...user, providers };
  });
  return await rig({ seed: { users: named } });
}

test("a provider whose name contains the API key is masked in the target of records and plans", async () => {
  const r = await rigNamed("");
  await r.write("a.json", JSON.stringify(numberedCourse(1, { name: "New" })));
  await r.run("courses diff a.json --out plan.ndjson");
  await r.run("courses push a.json --record run.ndjson");
  for (const file of ["plan.ndjson", "run.ndjson"]) {
    const [header = ""] = (await readFile(join(r.folder, file), "utf8")).split("\n");
    expect(JSON.parse(header).target).toContain("as ********");
  }
});

test("a name that contains the API key is masked before a notice is wrapped, also where the name is cut within it", async () => {
  // A name is cut after 200 characters.
  for (const length of [60, 185]) {
    const r = await rigNamed("x".repeat(length));
    const ran = await r.run(["courses", "unpublish", id(1)], { terminal: true, columns: 70 });
    const text = ran.stderr.replace(/\s/g, "");
    expect(text).toContain("x********");
    expect(text).not.toMatch(/sandbox\.0|456789/);
  }
});

test("a course that contains the API key is written as it is", async () => {
  const text = "sandbox.0123456789abcdef is in a text";
  const r = await rigWith(numberedCourse(1, { name: text }));
  const options = { printsEchoes: true };
  for (const line of ["courses ls -o csv", "courses ls", `courses get ${id(1)}`]) {
    for (const terminal of [false, true]) {
      const ran = await r.run(line, { ...options, terminal, columns: 200 });
      expect([line, ran.code, ran.stdout]).toEqual([line, 0, expect.stringContaining(text)]);
    }
  }
  expect((await r.run("courses pull out", options)).code).toBe(0);
  const again = await r.run("courses push out", options);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Already up to date")]);
});
