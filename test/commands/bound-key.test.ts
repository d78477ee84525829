/** A saved key is sent to its own base URL only, with any flags, settings and responses. */
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { inTurn } from "../long.ts";
import type { Rig, RunOptions } from "../rig.ts";
import { startUnreliableServer, type UnreliableServer } from "../unreliable-server.ts";
import { id, numberedCourse, rigWith, unreliableService } from "./helpers.ts";
import {
  REMOTE_COMMANDS,
  readUserConfig,
  savedKeyFor,
  writeNewCourse,
  writeUserConfig,
} from "./saved-key.ts";

/** An environment that sets neither a key nor a base URL. */
const BARE = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };

interface Services {
  readonly r: Rig;
  /** The service that the key was saved for. */
  readonly own: UnreliableServer;
  /** Another service, which also responds and records its requests. */
  readonly other: UnreliableServer;
}

async function services(): Promise<Services> {
  const r = await rigWith(numberedCourse(1));
  const { server: own } = await unreliableService(r, () => "pass");
  const { server: other } = await unreliableService(r, () => "pass");
  await writeNewCourse(r);
  await writeUserConfig(r, {
    ...savedKeyFor(own.baseUrl),
    profiles: { other: { baseUrl: other.baseUrl } },
  });
  return { r, own, other };
}

/** Every way to select a base URL that differs from the base URL saved with the key. */
const WAYS: readonly (readonly [
  name: string,
  prepare: (services: Services) => { words?: string[]; environment?: object; config?: object },
])[] = [
  ["--base-url", ({ other }) => ({ words: ["--base-url", other.baseUrl] })],
  ["CATALOG_BASE_URL", ({ other }) => ({ environment: { CATALOG_BASE_URL: other.baseUrl } })],
  ["the project config file", ({ other }) => ({ config: { baseUrl: other.baseUrl } })],
  ["--profile", () => ({ words: ["--profile", "other"] })],
  ["CATALOG_PROFILE", () => ({ environment: { CATALOG_PROFILE: "other" } })],
  [
    "a profile that the project config file selects",
    ({ other }) => ({
      config: { profile: "own", profiles: { own: { baseUrl: other.baseUrl } } },
    }),
  ],
  [
    "a --profile of the project config file",
    ({ other }) => ({
      words: ["--profile", "own"],
      config: { profiles: { own: { baseUrl: other.baseUrl } } },
    }),
  ],
  ["--base-url with another path", ({ own }) => ({ words: ["--base-url", `${own.baseUrl}/x`] })],
  [
    "--base-url with another name of the host",
    ({ own }) => ({ words: ["--base-url", own.baseUrl.replace("127.0.0.1", "localhost")] }),
  ],
];

test.each(REMOTE_COMMANDS)("catalog %s sends a saved key only to its base URL", async (line) => {
  const { r, own, other } = await services();
  const ran = await r.run(line.split(" "), { environment: BARE });
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  expect(own.headers.map((headers) => headers["x-api-key"])).toEqual(
    ran.requests.map(() => DEFAULT_KEY),
  );
  expect(ran.requests).not.toEqual([]);
  expect(other.requests).toEqual([]);
});

describe.each(WAYS)("a saved key and a base URL from %s", (way, prepare) => {
  const turn = WAYS.findIndex(([name]) => name === way);

  test(`commands send nothing and never use the saved key if ${way} sets another base URL`, async () => {
    const both = await services();
    const { r, own, other } = both;
    const { words = [], environment, config } = prepare(both);
    if (config !== undefined) await r.write(".catalogrc.json", JSON.stringify(config));
    const options: RunOptions = { environment: { ...BARE, ...environment } };
    for (const line of inTurn<string>(REMOTE_COMMANDS, turn, 5)) {
      const ran = await r.run([...line.split(" "), ...words], options);
      // init writes its template without the service.
      const expected = line.startsWith("courses init") ? 0 : 4;
      expect([line, ran.code, ran.requests]).toEqual([line, expected, []]);
      if (expected === 4) expect(ran.stderr).toContain("no API key is set for");
    }
    expect([...own.requests, ...other.requests]).toEqual([]);
  });

  test(`providers ls sends the key of the environment, not the saved key, if ${way} sets the base URL`, async () => {
    const both = await services();
    const { r, own, other } = both;
    const { words = [], environment, config } = prepare(both);
    if (config !== undefined) await r.write(".catalogrc.json", JSON.stringify(config));
    const key = "another.environment-key";
    await r.run(["providers", "ls", ...words], {
      environment: { ...BARE, CATALOG_API_KEY: key, ...environment },
    });
    const sent = [...own.headers, ...other.headers];
    expect(sent.map((headers) => headers["x-api-key"])).toEqual([key]);
    expect(JSON.stringify(sent)).not.toContain(DEFAULT_KEY);
  });
});

test("no command follows a redirect to another service with a saved key", async () => {
  const { r, other } = await services();
  const statuses = [301, 302, 303, 307, 308];
  const own = await startUnreliableServer(r.sandbox.baseUrl, ({ url, number }) => ({
    status: statuses[number % statuses.length] ?? 301,
    headers: { location: `${other.baseUrl}${url}` },
  }));
  await writeUserConfig(r, savedKeyFor(own.baseUrl));
  for (const line of [...REMOTE_COMMANDS, ...REMOTE_COMMANDS.slice(1)]) {
    await r.run([...line.split(" "), "--retries", "0"], { environment: BARE });
  }
  const typed = { input: "typed.key-of-someone", environment: BARE };
  expect((await r.run(["login", "--with-key"], typed)).code).toBe(1);
  expect(own.requests.length).toBeGreaterThan(2 * REMOTE_COMMANDS.length - 2);
  expect(other.requests).toEqual([]);
  expect(await readUserConfig(r)).toEqual(savedKeyFor(own.baseUrl));
});

test("login sends the entered key and never the saved key", async () => {
  const { r, own, other } = await services();
  const words = ["login", "--with-key", "--base-url", other.baseUrl];
  const input = "typed.key-of-someone";
  expect((await r.run(words, { input, environment: BARE })).code).toBe(4);
  expect(other.headers.map((headers) => headers["x-api-key"])).toEqual([input]);
  expect(JSON.stringify(other.headers)).not.toContain(DEFAULT_KEY);
  expect(own.requests).toEqual([]);
});

test("the error about a withheld saved key names the key's base URL and the login command that helps", async () => {
  const { r, own, other } = await services();
  const ran = await r.run(["courses", "get", id(1), "--json"], {
    environment: { ...BARE, CATALOG_BASE_URL: other.baseUrl },
  });
  const { error } = JSON.parse(ran.stderr) as { error: Record<string, string> };
  expect(error).toMatchObject({ kind: "auth", message: expect.stringContaining(own.baseUrl) });
  expect(error.next).toContain(`catalog login --base-url ${other.baseUrl}`);
});
