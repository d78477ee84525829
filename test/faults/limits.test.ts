/** Cases outside the fault table: time limits, endless responses, and responses that stay lost. */
import { describe, expect, test } from "vitest";
import { course } from "../rig.ts";
import { COMMAND_LINES, type CommandLine } from "./command-lines.ts";
import { INJECTORS } from "./injectors.ts";
import { runCommandLine } from "./run.ts";
import type { FaultInjector } from "./server.ts";

/** The time limit of one request with all its attempts, in milliseconds. */
const FIVE_MINUTES = 300_000;

test.each(["silent", "stalled"] as const)(
  "providers ls ends with the real timeout and the message of the fault table at a %s server",
  async (injector) => {
    const words = ["--timeout", "0.1", "--retries", "0"];
    const options = { select: () => INJECTORS[injector], words, realTime: true } as const;
    const ran = await runCommandLine(COMMAND_LINES["providers ls"], options);
    expect([ran.code, ran.stdout, ran.requests.length]).toEqual([6, "", 1]);
    expect(ran.stderr).toContain("no response within 0.1 s");
  },
);

describe("requests with any --timeout and --retries", () => {
  const patient = ["--timeout", "120", "--retries", "50"];

  test.each([
    ["read", "courses get"],
    ["create", "courses push, of a new course"],
    ["change", "courses publish"],
    ["delete", "courses push --prune"],
  ] as const)(
    "a %s request takes at most five minutes if the server never responds",
    async (_, name) => {
      const { words } = COMMAND_LINES[name];
      const isOwn = (line: string): boolean => !line.startsWith("GET ") || name === "courses get";
      let isAffected = false;
      const ran = await runCommandLine(COMMAND_LINES[name], {
        words: patient,
        select: (line) => {
          isAffected ||= isOwn(line);
          return isAffected ? INJECTORS.silent : undefined;
        },
      });
      expect(ran.code, words.join(" ")).toBe(6);
      expect(ran.waited).toBeGreaterThan(FIVE_MINUTES - 60_000);
      expect(ran.waited).toBeLessThanOrEqual(FIVE_MINUTES);
    },
  );

  test.each(["429 an hour", "503"] as const)(
    "a request takes at most five minutes if the server always responds with %s",
    async (injector) => {
      const ran = await runCommandLine(COMMAND_LINES["courses publish"], {
        words: patient,
        select: () => INJECTORS[injector],
      });
      expect(ran.code).toBe(6);
      expect(ran.waited).toBeLessThanOrEqual(FIVE_MINUTES);
    },
  );
});

describe("a POST of catalog api", () => {
  const POST: CommandLine = {
    words: ["api", "POST", "developer/v1/courses", "-d", JSON.stringify(course())],
    before: [],
    shows: /HTTP 201/,
  };

  test.each(["reset after", "silent", "504"] as const)(
    "a POST of catalog api is sent once after %s, and the message advises to check first",
    async (injector) => {
      const ran = await runCommandLine(POST, { select: () => INJECTORS[injector] });
      expect([ran.code, ran.requests.length, ran.courses.length]).toEqual([6, 1, 1]);
      expect(ran.stderr).toContain("Check before you send it again");
      expect(ran.stderr).not.toMatch(/try again/i);
    },
  );
});

test.each(["courses create", "courses push, of a new course"] as const)(
  "%s creates a course once if the look-up after a lost response misses it",
  async (name) => {
    const emptyList: FaultInjector = async ({ outgoing }) => void outgoing.end("[]");
    const injectors = [INJECTORS["reset after"], emptyList];
    const ran = await runCommandLine(COMMAND_LINES[name], {
      select: (line) => (/^POST|[?&](id|name)=/.test(line) ? injectors.shift() : undefined),
    });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(COMMAND_LINES[name].shows)]);
    const own = ran.requests.filter((line) => /^POST|[?&](id|name)=/.test(line));
    expect(own.map((line) => line.split(" ")[0])).toEqual(["POST", "GET", "POST", "GET"]);
    expect(ran.courses).toHaveLength(3);
  },
);

test("the look-up of the provider for the target line is repeated like any other request", async () => {
  const injectors = [INJECTORS["503"], INJECTORS["reset before"]];
  const ran = await runCommandLine(COMMAND_LINES["courses publish"], {
    select: (line) => (line.endsWith("/providers") ? injectors.shift() : undefined),
  });
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("as Example Academy")]);
  expect(ran.requests.filter((line) => line.endsWith("/providers"))).toHaveLength(3);
});
