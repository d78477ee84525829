import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { expect, test, vi } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY, parseSeeds } from "../../src/sandbox/seed.ts";
import { MemoryOutput, PROVIDER_ID, type Rig, rig, testClock } from "../rig.ts";
import { id, numberedCourse, rigWith, startCommand } from "./helpers.ts";

const provider = (slug: string) => [
  { id: id(7), name: "Renamed", slug, url: `https://${slug}.example` },
];
const NAMED = { provider_id: undefined, provider: "old", url: "https://old.example/a" };
/** What the seeds of the tests contain. */
const SEEDS: Readonly<Record<string, object>> = {
  "courses/a.json": numberedCourse(1, { approval_status: "approved" }),
  "courses/b.json": numberedCourse(2),
  "old.json": provider("old"),
  "new.json": provider("new"),
  "named/a.json": numberedCourse(1, NAMED),
  "seed.yaml": {
    users: [
      { key: "first.key", providers: [{ id: id(9), name: "First", url: "https://first.example" }] },
      {
        key: "second.key",
        providers: [{ id: id(8), name: "Second", url: "https://academy.example" }],
        courses: [numberedCourse(1, { provider_id: id(8) })],
      },
    ],
  },
};

async function seeded(): Promise<Rig> {
  const r = await rig();
  for (const [name, value] of Object.entries(SEEDS)) await r.write(name, value);
  return r;
}

/** Starts the sandbox on a free port, and waits until it prints its base URL and key. */
async function serving(words: readonly string[] = [], r?: Rig) {
  const running = startCommand(r ?? (await seeded()), ["sandbox", "--port", "0", ...words]);
  await vi.waitUntil(() => running.out.text.includes("CATALOG_API_KEY="), {
    interval: 1,
    timeout: 10_000,
  });
  const [, baseUrl = ""] = /^ *export CATALOG_BASE_URL=(\S+)$/m.exec(running.out.text) ?? [];
  const [, key = ""] = /^ *export CATALOG_API_KEY=(\S+)$/m.exec(running.out.text) ?? [];
  const read = async (what: string, as = key) =>
    await fetch(`${baseUrl}/developer/v1/${what}`, { headers: { "x-api-key": as } });
  const list = async (what: string, as = key): Promise<unknown> => (await read(what, as)).json();
  const end = async () => {
    running.stop("SIGINT");
    return await running.code;
  };
  return { running, baseUrl, key, read, list, end };
}

test("sandbox prints the base URL, an API key and two export lines that work", async () => {
  const { baseUrl, key, read, list, end } = await serving();
  expect([baseUrl.startsWith("http://127.0.0.1:"), key]).toEqual([true, DEFAULT_KEY]);
  expect(await list("providers")).toMatchObject([{ id: PROVIDER_ID }]);
  expect(await list("courses")).toEqual([]);
  expect(await end()).toBe(130);
  await expect(read("providers")).rejects.toThrow();
});

test("sandbox --seed accepts a folder of courses", async () => {
  const { list, end } = await serving(["--seed", "courses"]);
  expect(await list("courses")).toMatchObject([{ id: id(1) }, { id: id(2) }]);
  await end();
});

test("sandbox --seed several times starts with the later values of a provider and the courses from before its rename", async () => {
  const seeds = ["old.json", "named", "new.json"].flatMap((path) => ["--seed", path]);
  const { list, end } = await serving(seeds);
  expect(await list("providers")).toMatchObject([{ slug: "new", id: id(7) }]);
  expect(await list("courses")).toMatchObject([
    { url: "https://old.example/a", provider_id: id(7) },
  ]);
  await end();
});

test("sandbox with several seeds reports a wrong course at its line in its file", async () => {
  const { code, stderr } = await (await seeded()).run(
    "sandbox --seed new.json --seed named -- true",
  );
  expect(code).toBe(2);
  expect(stderr).toMatch(/^named\/a\.json:1:\d+: error: .*"old" is not one of your providers/m);
});

test("sandbox --seed accepts a file of users, API keys and providers", async () => {
  const { key, read, list, end } = await serving(["--seed", "seed.yaml"]);
  expect(key).toBe("first.key");
  expect(await list("providers")).toMatchObject([{ id: id(9), name: "First" }]);
  expect(await list("courses")).toEqual([]);
  expect(await list("providers", "second.key")).toMatchObject([{ id: id(8) }]);
  expect(await list("courses", "second.key")).toMatchObject([{ id: id(1) }]);
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
  const powerShell = `  $env:CATALOG_API_KEY = '${DEFAULT_KEY}'\n`;
  expect(await lines({})).toContain(powerShell);
  expect(await lines({ SHELL: "/usr/bin/pwsh" })).toContain(powerShell);
  const bash = await lines({ SHELL: "/usr/bin/bash" });
  expect(bash).toContain(`  export CATALOG_API_KEY=${DEFAULT_KEY}\n`);
});

test("sandbox --fail 1 fails every request", async () => {
  const { read, end } = await serving(["--fail", "1"]);
  expect((await read("providers").catch(() => ({ status: 0 }))).status).not.toBe(200);
  await end();
});

test.each([
  ["exit 0", 0],
  ["exit 255", 255],
  ["kill -KILL $$", 137],
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
  const { url, seen } = JSON.parse(await r.read("seen.json"));
  expect(seen).toMatchObject([{ id: PROVIDER_ID }]);
  await expect(fetch(url)).rejects.toThrow();
});

test("sandbox -- gives the command a separate state folder, which ends with it", async () => {
  const r = await rig();
  const script =
    'printf "%s %s" "$CATALOG_SANDBOX" "$XDG_STATE_HOME" > seen.txt; touch "$XDG_STATE_HOME/left"';
  expect(await startCommand(r, ["sandbox", "--", "sh", "-c", script]).code).toBe(0);
  const [isSandbox, folder = ""] = (await r.read("seen.txt")).split(" ");
  expect([isSandbox, isAbsolute(folder), existsSync(folder)]).toEqual(["1", true, false]);
});

test("with CATALOG_SANDBOX=1 the target is called the sandbox, unless a flag names another service, and no line says how to undo", async () => {
  const r = await rigWith(numberedCourse(1));
  const unpublish = async (...words: string[]) =>
    await r.run(["courses", "unpublish", id(1), ...words], {
      environment: { CATALOG_SANDBOX: "1" },
    });
  expect((await unpublish()).stderr).toBe(
    "Target: the sandbox as Example Academy\nUpdated 1 course.\n",
  );
  const other = await unpublish("--base-url", "https://other.example");
  expect(other.stderr).not.toContain("the sandbox");
});

test("sandbox --data starts a new file from --seed, and later ignores --seed with a notice", async () => {
  const r = await seeded();
  const first = await serving(["--data", "x.data", "--seed", "courses/a.json"], r);
  expect(first.running.err.text).toContain("x.data keeps its data.");
  await first.end();
  const second = await serving(["--data", "x.data", "--seed", "absent.yaml"], r);
  expect(second.running.err.text).toContain(
    "Ignored --seed absent.yaml, because x.data already exists.",
  );
  expect(await second.list("courses")).toMatchObject([{ id: id(1), approval_status: "approved" }]);
  await second.end();
});

test("the sandbox accepts the seed in docs/sandbox.md as written, and the page describes every field", async () => {
  const path = fileURLToPath(new URL("../../docs/sandbox.md", import.meta.url));
  const text = await readFile(path, "utf8");
  const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(text) ?? [];
  const { users } = parseSeeds([load(yaml)], testClock());
  expect(users.map(({ courses }) => courses.length)).toEqual([1, 0]);
  expect(users[0]?.courses[0]).toMatchObject({ approval_status: "approved" });
  const described = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name);
  const fields = "key providers courses id name url slug domain description published";
  expect(described).toEqual(fields.split(" "));
  for (const name of Object.keys(users[0]?.providers[0] ?? {})) expect(described).toContain(name);
});
