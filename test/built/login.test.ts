/** Questions of the built program on a terminal: login, and whether to delete. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
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

/** A question, and what is typed when it is shown. */
type Answer = readonly [question: RegExp, typed: string];

async function answer(running: Running, answers: readonly Answer[]): Promise<void> {
  for (const [question, typed] of answers) {
    await running.waitForStdout(question);
    running.child.stdin?.write(typed);
  }
}

const [FOR_URL, FOR_KEY] = [/\?.* Base URL:/, /\?.* API key:/];

/** Expects the cursor to be visible at the end. */
function expectCursor(output: string): void {
  expect(output.lastIndexOf(SHOW_CURSOR)).toBeGreaterThanOrEqual(output.lastIndexOf(HIDE_CURSOR));
}

test.skipIf(!HAS_TERMINAL)(
  "login asks for base URL and API key, and never shows the API key",
  async () => {
    const running = await login();
    const { baseUrl } = service.sandbox;
    await answer(running, [
      [FOR_URL, `${baseUrl}/\r`],
      [FOR_KEY, `${DEFAULT_KEY}\r`],
    ]);
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    const path = join(folder, ".config/catalog/config.json");
    expect(stdout).toContain(`Logged in to ${baseUrl}. Saved the API key in ${path}.`);
    expect(stdout).toContain("You can publish for 1 provider: Example Academy.");
    // Neither its length nor the part before the dot.
    expect(stdout).not.toMatch(/sandbox|\*\*/);
    expectCursor(stdout);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ baseUrl, apiKey: DEFAULT_KEY });
  },
);

test.runIf(IS_LONG && HAS_TERMINAL)(
  "login shows no key that is pasted together with the base URL, valid or not",
  async () => {
    for (const [url, code, says] of [
      [service.sandbox.baseUrl, 0, "Logged in to"],
      ["nonsense", 2, "must be a complete http or https URL"],
    ] as const) {
      const running = await login();
      await answer(running, [[FOR_URL, `${url}\r${DEFAULT_KEY}\r`]]);
      const ended = await running.ended;
      expect([ended.code, ended.stdout]).toEqual([code, expect.stringContaining(says)]);
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
    running.child.stdin?.write("y\r");
    await answer(running, [[/\?.*Delete 1 course\?[\s\S]*\(y\/N\)/, "y\u0003"]]);
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([130, expect.stringMatching(/\(y\/N\)[^\n]*\n$/)]);
    expect(storedIds(served)).toEqual(ids);
  },
);

const ENDS: readonly (readonly [what: string, answers: readonly Answer[]])[] = [
  [
    "Ctrl-C after a key",
    [
      [FOR_URL, "\r"],
      [FOR_KEY, `${DEFAULT_KEY}\u0003`],
    ],
  ],
  ["Ctrl-D at the first question", [[FOR_URL, "\u0004"]]],
];
test.skipIf(!HAS_TERMINAL).each(someOf(ENDS, 1))(
  "login interrupted by %s exits with 130, saves nothing, and shows the cursor again",
  async (_, answers) => {
    const running = await login({ CATALOG_BASE_URL: service.sandbox.baseUrl });
    const before = service.sandbox.requests();
    await answer(running, answers);
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).not.toMatch(/error|^\s+at /m);
    expectCursor(stdout);
    expect(existsSync(join(folder, ".config"))).toBe(false);
    expect(service.sandbox.requests()).toBe(before);
  },
);

test("login --with-key reads the API key from a pipe, and the next command uses it", async () => {
  const { baseUrl } = service.sandbox;
  const options = { folder, input: `${DEFAULT_KEY}\n` };
  const ended = await runCatalog(["login", "--with-key", "--base-url", baseUrl], options);
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(await runCatalog(["providers", "ls", "-o", "id"], { folder })).toMatchObject({ code: 0 });
});
