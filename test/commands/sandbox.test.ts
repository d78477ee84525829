import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { MemoryOutput, PROVIDER_ID, rig } from "../rig.ts";
import { id, numberedCourse, rigWith, startCommand } from "./helpers.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

/** Starts the sandbox on a free port and waits until it prints its base URL and key. */
async function serving(...words: string[]) {
  const r = await rig();
  await r.write("courses/a.json", JSON.stringify(numberedCourse(1)));
  await r.write("courses/b.json", JSON.stringify(numberedCourse(2)));
  await r.write("filled/a.json", JSON.stringify(numberedCourse(1, { pace: undefined })));
  await r.write("filled/catalog.defaults.yaml", "pace: instructor_paced\n");
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

describe("serve", () => {
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

  test("sandbox --seed fills the courses of a folder from its catalog.defaults.yaml", async () => {
    const { read, end } = await serving("--seed", "filled");
    expect(await (await read("courses")).json()).toMatchObject([
      { id: id(1), pace: "instructor_paced" },
    ]);
    await end();
  });

  test("sandbox --seed accepts the courses and the providers of the examples", async () => {
    const files = await readdir(join(EXAMPLES, "courses"), { recursive: true });
    const held = await serving("--seed", join(EXAMPLES, "courses"));
    const courses = (await (await held.read("courses?limit=100")).json()) as unknown[];
    expect(courses).toHaveLength(files.filter((name) => /\.(ya?ml|json)$/.test(name)).length);
    await held.end();
    const { read, end } = await serving("--seed", join(EXAMPLES, "providers.json"));
    const providers = (await (await read("providers")).json()) as { id: string }[];
    expect(providers.map((provider) => provider.id)).toContain(
      "6fca3dd2-d61d-58de-9363-1574b382ea68",
    );
    await end();
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

  test("sandbox quotes a key with special characters of the shell in its export line", async () => {
    const { key, end } = await serving("--seed", "quoted.yaml");
    expect(key).toBe("'a.$1'\\''b'");
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

  test("two sandboxes run at the same time with different base URLs", async () => {
    const [one, other] = [await serving(), await serving()];
    expect(one.baseUrl).not.toBe(other.baseUrl);
    await Promise.all([one.end(), other.end()]);
  });
});

describe("run a command", () => {
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

  test("sandbox -- does not start the command after a stop signal", async () => {
    const r = await rig();
    const running = startCommand(r, ["sandbox", "--", "touch", "started"]);
    running.stop("SIGTERM");
    expect(await running.code).toBe(143);
    await expect(readFile(join(r.folder, "started"))).rejects.toThrow("ENOENT");
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
    const [isSandbox, folder = ""] = (await readFile(join(r.folder, "seen.txt"), "utf8")).split(
      " ",
    );
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

  test.each([
    ["does not exist", "no-such-command-at-all"],
    ["is not a program", join(EXAMPLES, "one.yaml")],
    ["is empty", ""],
  ])("sandbox -- exits with 2 and names a command that %s", async (_, word) => {
    const running = startCommand(await rig(), ["sandbox", "--", word]);
    expect([await running.code, running.out.text]).toEqual([2, ""]);
    expect(running.err.text).toMatch(/^error: .*\n/);
    expect(running.err.text).toContain(word);
    expect(running.err.text).not.toContain("this is a bug in catalog");
  });
});

describe("usage errors", () => {
  test.each([
    ["a command without --", ["echo"]],
    ["a missing seed file", ["--seed", "absent.yaml"]],
    ["an invalid seed file", ["--seed", "nonsense.yaml"]],
    ["an invalid course in the seed", ["--seed", "bad.json"]],
    ["a --host that is not on this machine", ["--host", "192.0.2.1"]],
  ])("sandbox exits with an error and prints nothing on stdout for %s", async (_, words) => {
    const r = await rig();
    await r.write("nonsense.yaml", "users: 7\n");
    await r.write("bad.json", JSON.stringify(numberedCourse(1, { pace: "fast" })));
    const ran = await r.run(["sandbox", "--port", "0", ...words]);
    expect([2, 3]).toContain(ran.code);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toMatch(/^(?:\S+:\d+:\d+: )?error: \S/);
  });

  test("sandbox exits with 2 and explains a seed without users", async () => {
    const r = await rig();
    const path = await r.write("users.yaml", "users: []\n");
    const ran = await r.run(["sandbox", "--port", "0", "--seed", path]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toMatch(/users\.yaml:1:8: error: .*users/);
  });

  test("sandbox names file, line and column of an invalid course in a seed folder", async () => {
    const r = await rig();
    await r.write("courses/a.json", JSON.stringify(numberedCourse(1)));
    await r.write("courses/b.json", JSON.stringify(numberedCourse(2, { pace: "fast" }), null, 1));
    const ran = await r.run(["sandbox", "--port", "0", "--seed", "courses"]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toMatch(/^courses\/b\.json:\d+:10: error: seed: pace must be self_paced/);
  });

  test("sandbox exits with 2 and advises --port 0 if its port is in use", async () => {
    const r = await rig();
    const ran = await r.run(["sandbox", "--port", `${r.sandbox.port}`]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(`port ${r.sandbox.port} is in use`);
    expect(ran.stderr).toContain("--port 0");
  });
});
