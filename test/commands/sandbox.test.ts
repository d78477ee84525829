import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { expect, test, vi } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { MemoryOutput, PROVIDER_ID, rig } from "../rig.ts";
import { id, numberedCourse, rigWith, startCommand } from "./helpers.ts";

const provider = (slug: string) => ({
  id: id(7),
  name: "Renamed",
  slug,
  url: `https://${slug}.example`,
});
const named = numberedCourse(1, {
  provider_id: undefined,
  provider: "old",
  url: "https://old.example/a",
});

/** Starts the sandbox on a free port and waits until it prints its base URL and key. */
async function serving(...words: string[]) {
  const r = await rig();
  await r.write("courses/a.json", JSON.stringify(numberedCourse(1)));
  await r.write("courses/b.json", JSON.stringify(numberedCourse(2)));
  await r.write("filled/a.json", JSON.stringify(numberedCourse(1, { pace: undefined })));
  await r.write("filled/catalog.defaults.yaml", "pace: instructor_paced\n");
  await r.write("old.json", JSON.stringify([provider("old")]));
  await r.write("new.json", JSON.stringify([provider("new")]));
  await r.write("named/a.json", JSON.stringify(named));
  await r.write("quoted.yaml", `users: [{ key: "a.$1'b" }]\n`);
  await r.write(
    "seed.yaml",
    `users:
  - key: first.key
    providers: [{ id: ${id(9)}, name: First, url: "https://first.example" }]
  - key: second.key
    providers: [{ id: ${id(8)}, name: Second, url: "https://academy.example" }]
    courses: [${JSON.stringify(numberedCourse(1, { provider_id: id(8) }))}]
`,
  );
  const running = startCommand(r, ["sandbox", "--port", "0", ...words]);
  await vi.waitUntil(() => running.out.text.includes("CATALOG_API_KEY="), {
    interval: 1,
    timeout: 10_000,
  });
  const [, baseUrl = ""] = /^ *export CATALOG_BASE_URL=(\S+)$/m.exec(running.out.text) ?? [];
  const [, key = ""] = /^ *export CATALOG_API_KEY=(\S+)$/m.exec(running.out.text) ?? [];
  const read = async (what: string, as = key) =>
    await fetch(`${baseUrl}/developer/v1/${what}`, { headers: { "x-api-key": as } });
  const end = async () => {
    running.stop("SIGINT");
    return await running.code;
  };
  return { running, baseUrl, key, read, end };
}

test("sandbox prints the base URL, a key and two export lines that work", async () => {
  const { baseUrl, key, read, end } = await serving();
  expect([baseUrl.startsWith("http://127.0.0.1:"), key]).toEqual([true, DEFAULT_KEY]);
  expect(await (await read("providers")).json()).toMatchObject([{ id: PROVIDER_ID }]);
  expect(await (await read("courses")).json()).toEqual([]);
  expect(await end()).toBe(130);
  await expect(read("providers")).rejects.toThrow();
});

test("sandbox --seed accepts a folder of courses", async () => {
  const { read, end } = await serving("--seed", "courses");
  const courses = (await (await read("courses")).json()) as { id: string }[];
  expect(courses.map((course) => course.id)).toEqual([id(1), id(2)]);
  await end();
});

test("sandbox --seed several times starts with the later values of a provider and the courses from before its rename", async () => {
  const { read, end } = await serving(
    ...["old.json", "named", "new.json"].flatMap((path) => ["--seed", path]),
  );
  expect(await (await read("providers")).json()).toMatchObject([{ slug: "new", id: id(7) }]);
  expect(await (await read("courses")).json()).toMatchObject([
    { url: "https://old.example/a", provider_id: id(7) },
  ]);
  await end();
});

test("sandbox with several seeds reports a wrong course at its line in its file", async () => {
  const r = await rig();
  await r.write("new.json", JSON.stringify([provider("new")]));
  await r.write("named/a.json", JSON.stringify(named));
  const seeds = ["--seed", "new.json", "--seed", "named"];
  const { code, stderr } = await r.run(["sandbox", ...seeds, "--", "true"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^named\/a\.json:1:\d+: error: .*"old" is not one of your providers/m);
});

test("sandbox --seed accepts a file of users, keys and providers", async () => {
  const { key, read, end } = await serving("--seed", "seed.yaml");
  expect(key).toBe("first.key");
  expect(await (await read("providers")).json()).toMatchObject([{ id: id(9), name: "First" }]);
  expect(await (await read("courses")).json()).toEqual([]);
  expect(await (await read("providers", "second.key")).json()).toMatchObject([{ id: id(8) }]);
  expect(await (await read("courses", "second.key")).json()).toMatchObject([{ id: id(1) }]);
  expect((await read("providers", DEFAULT_KEY)).status).toBe(401);
  await end();
});

test("sandbox prints lines for PowerShell, which is the shell on Windows unless SHELL names another", async () => {
  const r = await rig();
  const lines = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const [out, stop] = [new MemoryOutput(), new StopRequest()];
    const system = { ...r.system({ out, err: new MemoryOutput(), environment }), stop };
    const ended = main(["sandbox", "--port", "0"], { ...system, platform: "win32" });
    stop.abort("SIGINT");
    await ended;
    return out.text;
  };
  for (const environment of [{}, { SHELL: "/usr/bin/pwsh" }]) {
    const text = await lines(environment);
    expect(text).toContain(`  $env:CATALOG_API_KEY = '${DEFAULT_KEY}'\n`);
  }
  expect(await lines({ SHELL: "/usr/bin/bash" })).toContain(
    `  export CATALOG_API_KEY=${DEFAULT_KEY}\n`,
  );
});

test("sandbox --fail 1 fails every request", async () => {
  const { read, end } = await serving("--fail", "1");
  expect((await read("providers").catch(() => ({ status: 0 }))).status).not.toBe(200);
  await end();
});

test.each([
  ["exit 0", 0],
  ["exit 7", 7],
  ["exit 255", 255],
  ["kill -KILL $$", 137],
  ["kill -TERM $$", 143],
  ["kill -INT $$", 130],
])("sandbox -- exits as its command does and prints nothing: %s, %i", async (script, code) => {
  const running = startCommand(await rig(), ["sandbox", "--", "sh", "-c", script]);
  expect([await running.code, running.out.text, running.err.text]).toEqual([code, "", ""]);
});

test("sandbox -- sets CATALOG_BASE_URL and CATALOG_API_KEY, and serves until the command ends", async () => {
  const r = await rig();
  const program = `
      const { CATALOG_BASE_URL: url, CATALOG_API_KEY: key } = process.env;
      fetch(url + "/developer/v1/providers", { headers: { "x-api-key": key } })
        .then((answer) => answer.json())
        .then((seen) => require("node:fs").writeFileSync("seen.json", JSON.stringify({ url, seen })));`;
  const running = startCommand(r, ["sandbox", "--", process.execPath, "-e", program]);
  expect(await running.code).toBe(0);
  const { url, seen } = JSON.parse(await readFile(join(r.folder, "seen.json"), "utf8"));
  expect(seen).toMatchObject([{ id: PROVIDER_ID }]);
  await expect(fetch(url)).rejects.toThrow();
});

test("sandbox -- gives the command a separate state folder, which ends with it", async () => {
  const r = await rig();
  const script =
    'printf "%s %s" "$CATALOG_SANDBOX" "$XDG_STATE_HOME" > seen.txt; touch "$XDG_STATE_HOME/left"';
  expect(await startCommand(r, ["sandbox", "--", "sh", "-c", script]).code).toBe(0);
  const [isSandbox, folder = ""] = (await readFile(join(r.folder, "seen.txt"), "utf8")).split(" ");
  expect([isSandbox, isAbsolute(folder), existsSync(folder)]).toEqual(["1", true, false]);
});

test("a command with CATALOG_SANDBOX=1 prints no line about how to undo it", async () => {
  const r = await rigWith(numberedCourse(1));
  const words = ["courses", "unpublish", id(1)];
  const ran = await r.run(words, { environment: { CATALOG_SANDBOX: "1" } });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("Updated 1 course.");
  expect(ran.stderr).not.toContain("undo");
});

test("with CATALOG_SANDBOX=1 the target is called the sandbox, unless a flag names another service", async () => {
  const r = await rigWith(numberedCourse(1));
  const environment = { CATALOG_SANDBOX: "1" };
  const targetOf = async (...words: string[]) => {
    const { stderr } = await r.run(["courses", "unpublish", id(1), ...words], { environment });
    return /^Target: (.*)$/m.exec(stderr)?.[1] ?? stderr;
  };
  expect(await targetOf()).toBe("the sandbox as Example Academy");
  expect(await targetOf("--base-url", "https://other.example")).not.toContain("the sandbox");
});
