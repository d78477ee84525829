/** `catalog sandbox` as a process: what it prints, serves and passes on, and how it ends. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import {
  example,
  HAS_TERMINAL,
  linesOf,
  newFile,
  numbered,
  PROGRAM,
  runCatalog,
  type StartOptions,
  serve,
  startCatalog,
  startOnTerminal,
} from "./rig.ts";

/** The words that have the sandbox run a script of Node.js. */
function node(script: string, ...words: string[]): string[] {
  return ["--", process.execPath, "-e", script, ...words];
}

async function startServing(words: readonly string[] = [], options: StartOptions = {}) {
  const running = await startCatalog(["sandbox", "--port", "0", ...words], options);
  const [, baseUrl = ""] = await running.shows(/^ *export CATALOG_BASE_URL=(\S+)$/m);
  const [, key = ""] = await running.shows(/^ *export CATALOG_API_KEY=(\S+)$/m);
  return { running, baseUrl, key };
}

/** Whether the port of that address can be had. */
async function isFree(baseUrl: string): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(Number(new URL(baseUrl).port), "127.0.0.1", resolve);
    });
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

describe("alone", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("prints how to use it, serves until %s, ends with %i", async (signal, code) => {
    const { running, baseUrl, key } = await startServing();
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const url = `${baseUrl}/developer/v1/providers`;
    const answer = await fetch(url, { headers: { "x-api-key": key } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([DEFAULT_PROVIDER]);
    expect((await fetch(url, { headers: { "x-api-key": "another" } })).status).toBe(401);
    expect(await isFree(baseUrl)).toBe(false);

    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code, signal: null });
    expect(ended.stdout.split("\n")[0]).toContain(baseUrl);
    expect(ended.stdout.split("\n")[0]).toContain(key);
    expect(await isFree(baseUrl)).toBe(true);
  });

  test("ends at once although a request is under way", async () => {
    const { running, baseUrl, key } = await startServing(["--latency", "600000"]);
    const { port, pathname } = new URL("/developer/v1/providers", baseUrl);
    const waiting = connect(Number(port), "127.0.0.1");
    waiting.write(`GET ${pathname} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`);
    const closed = once(waiting, "close");
    // What is no HTTP is answered without delay: by then the request before it has arrived.
    const refused = connect(Number(port), "127.0.0.1").end("no HTTP\r\n\r\n");
    await once(refused, "data");

    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
    await closed;
  });

  test("refuses a port in use", async () => {
    const { sandbox } = await serve();
    const port = String(sandbox.port);
    const ended = await runCatalog(["sandbox", "--port", port]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(`port ${port} is in use`);
    expect(ended.stderr).toContain("--port 0");
  });
});

describe("a seed", () => {
  const listAll = ["--", process.execPath, PROGRAM, "courses", "ls", "--all", "-o", "json"];

  test("of a course folder holds its courses", async () => {
    const files = await readdir(example("courses"), { recursive: true });
    const ended = await runCatalog(["sandbox", "--seed", example("courses"), ...listAll]);
    expect(ended.code).toBe(0);
    const expected = files.filter((name) => /\.(ya?ml|json)$/.test(name));
    expect(JSON.parse(ended.stdout)).toHaveLength(expected.length);
  });

  test("of providers gives them to the default user", async () => {
    const ended = await runCatalog([
      ...["sandbox", "--seed", example("providers.json")],
      ...["--", process.execPath, PROGRAM, "providers", "ls", "-o", "id"],
    ]);
    expect(ended.code).toBe(0);
    expect(linesOf(ended.stdout)).toContain("6fca3dd2-d61d-58de-9363-1574b382ea68");
  });

  test("of users gives each their own courses", async () => {
    const provider = { ...DEFAULT_PROVIDER, id: "11111111-1111-4111-8111-111111111111" };
    const seed = {
      users: [
        { key: "first.key", providers: [DEFAULT_PROVIDER], courses: numbered(2) },
        {
          key: "second.key",
          providers: [provider],
          courses: numbered(3).map((course) => ({ ...course, provider_id: provider.id })),
        },
      ],
    };
    const path = await newFile("users.json", JSON.stringify(seed));
    const { baseUrl, key } = await startServing(["--seed", path]);
    expect(key).toBe("first.key");
    const count = async (apiKey: string): Promise<number> => {
      const environment = { CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: apiKey };
      const { stdout } = await runCatalog(["courses", "ls", "-o", "id"], { environment });
      return linesOf(stdout).length;
    };
    expect([await count("first.key"), await count("second.key")]).toEqual([2, 3]);
  });

  test("that is wrong is told, and nothing is served", async () => {
    const path = await newFile("users.yaml", "users: []\n");
    const ended = await runCatalog(["sandbox", "--port", "0", "--seed", path]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/^error: .*users/);
  });
});

describe("around a command", () => {
  test("passes its arguments, its environment and its input, and prints nothing itself", async () => {
    const script = `
      const { CATALOG_BASE_URL: url, CATALOG_API_KEY: key, OTHER: other } = process.env;
      const input = require("node:fs").readFileSync(0, "utf8");
      const isKey = /^\\S+$/.test(key);
      console.log(JSON.stringify({ words: process.argv.slice(1), url, isKey, other, input }));
    `;
    const words = ["a b", "--yes", "-o", "json", "", "-", "--", "--port", "1"];
    const ended = await runCatalog(["sandbox", ...node(script, "--", ...words)], {
      environment: { OTHER: "kept", CATALOG_BASE_URL: "http://127.0.0.1:1" },
      input: "said\n",
    });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ended.stdout)).toEqual({
      words,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d{2,}$/),
      isKey: true,
      other: "kept",
      input: "said\n",
    });
  });

  test.each([0, 1, 7, 255])("exits with its code: %i", async (code) => {
    const ended = await runCatalog(["sandbox", ...node(`process.exit(${code})`)]);
    expect(ended).toEqual({ code, signal: null, stdout: "", stderr: "" });
  });

  test.each([
    ["SIGKILL", 137],
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("exits with 128 and the number of the %s that ended it: %i", async (signal, code) => {
    const ended = await runCatalog(["sandbox", ...node(`process.kill(process.pid, "${signal}")`)]);
    expect(ended).toEqual({ code, signal: null, stdout: "", stderr: "" });
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "passes %s on, and waits for its end",
    async (signal) => {
      const script = `
      process.on("${signal}", () => { console.log("told"); process.exit(9); });
      setInterval(() => {}, 1000);
      console.log("ready");
    `;
      const running = await startCatalog(["sandbox", ...node(script)]);
      await running.shows(/ready/);
      running.child.kill(signal);
      expect(await running.ended).toMatchObject({ code: 9, signal: null, stdout: "ready\ntold\n" });
    },
  );

  test("ends as it does when a passed signal kills it", async () => {
    const script = 'setInterval(() => {}, 1000); console.log("ready");';
    const running = await startCatalog(["sandbox", ...node(script)]);
    await running.shows(/ready/);
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 143, signal: null });
  });

  test.skipIf(!HAS_TERMINAL).each([
    ["", ""],
    [" although its input is no terminal", "</dev/null"],
  ])("is told once of Ctrl-C on a terminal%s", async (_, redirection) => {
    const path = await newFile(
      "count.cjs",
      `
        let count = 0;
        process.on("SIGINT", () => {
          if (++count > 1) return;
          // A second telling, if there is one, comes before another process has run.
          const other = require("node:child_process").spawn(process.execPath, ["-e", "0"]);
          other.on("exit", () => { console.log("told " + count); process.exit(9); });
        });
        setInterval(() => {}, 1000);
        console.log("ready");
      `,
    );
    const words = ["sandbox", "--", process.execPath, path];
    const running = await startOnTerminal(words, 80, { redirection });
    await running.shows(/ready/);
    running.child.stdin?.write("\u0003");
    const { code, stdout } = await running.ended;
    expect(stdout).toContain("told 1\r\n");
    expect(code).toBe(9);
  });

  test("serves as long as it runs, and no longer", async () => {
    const script = `
      console.log(process.env.CATALOG_BASE_URL);
      process.stdin.resume().on("end", () => process.exit(0));
    `;
    const { code, stdout } = await runCatalog(["sandbox", ...node(script)]);
    expect(code).toBe(0);
    expect(await isFree(stdout.trim())).toBe(true);
  });

  test.each([
    ["is not there", "no-such-command-of-ours"],
    ["is no program", example("one.yaml")],
    ["is empty", ""],
  ])("that %s is refused", async (_, word) => {
    const ended = await runCatalog(["sandbox", "--", word]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/^error: .*\n/);
    expect(ended.stderr).not.toContain("inside catalog");
  });
});
