/** Questions of the built program on a terminal: login, and whether to delete. */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { IS_LONG, someOf } from "../long.ts";
import {
  HAS_TERMINAL,
  newFolder,
  numberedCourses,
  type Running,
  runCatalog,
  type ServedSandbox,
  type StartOptions,
  serve,
  startOnTerminal,
  storedIds,
} from "./rig.ts";

const CONFIG = ".config/catalog/config.json";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

let service: ServedSandbox;
let folder: string;

beforeEach(async () => {
  service = await serve();
  folder = await newFolder();
});

async function login(environment: StartOptions["environment"] = {}): Promise<Running> {
  // A narrow terminal would wrap what it shows.
  return await startOnTerminal(["login"], 200, { folder, environment });
}

function type(running: Running, text: string): void {
  running.child.stdin?.write(text);
}

/** The content of the config file; undefined without one. */
async function readUserConfig(): Promise<unknown> {
  const text = await readFile(join(folder, CONFIG), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Expects the cursor to be visible at the end. */
function expectCursor(output: string): void {
  expect(output.lastIndexOf(SHOW_CURSOR)).toBeGreaterThanOrEqual(output.lastIndexOf(HIDE_CURSOR));
}

describe.skipIf(!HAS_TERMINAL)("login at a terminal", () => {
  test("login asks for base URL and key, and never shows the key", async () => {
    const running = await login();
    const { baseUrl } = service.sandbox;
    await running.waitForStdout(/\?.* Base URL:/);
    type(running, `${baseUrl}/\r`);
    await running.waitForStdout(/\?.* API key:/);
    type(running, `${DEFAULT_KEY}\r`);
    const ended = await running.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(
      `Logged in to ${baseUrl}. Saved the API key in ${join(folder, CONFIG)}.`,
    );
    expect(ended.stdout).toContain("You can publish for 1 provider: Example Academy.");
    // Neither its length nor the part before the dot.
    expect(ended.stdout).not.toMatch(/sandbox|\*\*/);
    expectCursor(ended.stdout);
    expect(await readUserConfig()).toEqual({ baseUrl, apiKey: DEFAULT_KEY });
    expect((await stat(join(folder, CONFIG))).mode & 0o777).toBe(0o600);
  });
});

test.runIf(IS_LONG && HAS_TERMINAL)(
  "login shows no key that is pasted together with the base URL, valid or not",
  async () => {
    const { baseUrl } = service.sandbox;
    for (const [url, code, says] of [
      [baseUrl, 0, "Logged in to"],
      ["nonsense", 2, "must be a complete http or https URL"],
    ] as const) {
      const running = await login();
      await running.waitForStdout(/\?.* Base URL:/);
      type(running, `${url}\r${DEFAULT_KEY}\r`);
      const ended = await running.ended;
      expect([ended.code, ended.stdout]).toEqual([code, expect.stringContaining(says)]);
      expect(ended.stdout).not.toContain(DEFAULT_KEY);
      expect(ended.stdout).not.toContain(DEFAULT_KEY.slice(0, 8));
    }
  },
);

test.skipIf(!HAS_TERMINAL)(
  "an answer that was typed before the question, or is interrupted, deletes no course; the prompt of the shell is on a new line",
  async () => {
    const served = await serve(numberedCourses(1));
    const ids = storedIds(served);
    const running = await startOnTerminal(["courses", "rm", ...ids], 200, { ...served, folder });
    type(running, "y\r");
    await running.waitForStdout(/\?.*Delete 1 course\?[\s\S]*\(y\/N\)/);
    type(running, "y\u0003");
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([130, expect.stringMatching(/\(y\/N\)[^\n]*\n$/)]);
    expect(storedIds(served)).toEqual(ids);
  },
);

describe.skipIf(!HAS_TERMINAL)("an interrupted login", () => {
  const ENDS: readonly (readonly [what: string, first: string, second: string | undefined])[] = [
    ["Ctrl-C after a key", "\r", `${DEFAULT_KEY}\u0003`],
    ["Ctrl-D at the first question", "\u0004", undefined],
  ];
  test.each(someOf(ENDS, 1))(
    "login interrupted by %s exits with 130, saves nothing, and shows the cursor again",
    async (_, first, second) => {
      const running = await login({ CATALOG_BASE_URL: service.sandbox.baseUrl });
      const before = service.sandbox.requests();
      await running.waitForStdout(/Base URL:/);
      type(running, first);
      if (second !== undefined) {
        await running.waitForStdout(/\?.* API key:/);
        type(running, second);
      }
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      expect(stdout).not.toMatch(/error|^\s+at /m);
      expectCursor(stdout);
      expect(existsSync(join(folder, ".config"))).toBe(false);
      expect(service.sandbox.requests()).toBe(before);
    },
  );
});

test("login --with-key reads the key from a pipe, and the next command uses the key", async () => {
  const { baseUrl } = service.sandbox;
  const options = { folder, input: `${DEFAULT_KEY}\n` };
  const ended = await runCatalog(["login", "--with-key", "--base-url", baseUrl], options);
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(await runCatalog(["providers", "ls", "-o", "id"], { folder })).toMatchObject({ code: 0 });
});
