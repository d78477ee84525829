/** Beside the fault table: time limits, answers without an end, and what is lost for good. */
import { describe, expect, test } from "vitest";
import { course } from "../rig.ts";
import { BLOWS, UNANNOUNCED } from "./blows.ts";
import { LINES, type Line } from "./lines.ts";
import { runLine, timedOut } from "./run.ts";
import type { Blow } from "./server.ts";

/** What one request may take in all; in milliseconds. */
const FIVE_MINUTES = 300_000;

test.each(["silent", "stalled"] as const)(
  "the program's own timer ends a try at a %s server, in the words of the table",
  async (blow) => {
    const words = ["--timeout", "0.1", "--retries", "0"];
    const options = { aim: () => BLOWS[blow], words, realTime: true } as const;
    const ran = await runLine(LINES["courses ls"], options);
    expect([ran.code, ran.stdout, ran.requests.length]).toEqual([6, "", 1]);
    expect(ran.stderr).toContain(timedOut(100).message);
  },
);

describe("however patient it is told to be, no request takes more than five minutes", () => {
  const patient = ["--timeout", "120", "--retries", "50"];

  test.each([
    ["read", "courses get"],
    ["create", "courses push, of a new course"],
    ["change", "courses publish"],
    ["delete", "courses push --prune"],
  ] as const)("with a server that never answers: %s", async (_, name) => {
    const { words } = LINES[name];
    const isOwn = (line: string): boolean => !line.startsWith("GET ") || name === "courses get";
    let struck = false;
    const ran = await runLine(LINES[name], {
      words: patient,
      aim: (line) => {
        struck ||= isOwn(line);
        return struck ? BLOWS.silent : undefined;
      },
    });
    expect(ran.code, words.join(" ")).toBe(6);
    expect(ran.waited).toBeGreaterThan(FIVE_MINUTES - 60_000);
    expect(ran.waited).toBeLessThanOrEqual(FIVE_MINUTES);
  });

  test.each(["429 an hour", "503"] as const)("with a server that always says %s", async (blow) => {
    const ran = await runLine(LINES["courses publish"], { words: patient, aim: () => BLOWS[blow] });
    expect(ran.code).toBe(6);
    expect(ran.waited).toBeLessThanOrEqual(FIVE_MINUTES);
  });
});

describe("a raw POST, which nobody can send again without harm", () => {
  const POST: Line = {
    words: ["api", "POST", "developer/v1/courses", "-d", JSON.stringify(course())],
    held: [],
    shows: /HTTP 201/,
  };

  test.each(["reset after", "silent", "504"] as const)(
    "that met %s is sent once, and the next step is to look",
    async (blow) => {
      const ran = await runLine(POST, { aim: () => BLOWS[blow] });
      expect([ran.code, ran.requests.length, ran.held.length]).toEqual([6, 1, 1]);
      expect(ran.stderr).toContain("check before you send it again");
      expect(ran.stderr).not.toMatch(/try again/i);
    },
  );

  test("whose answer has a status but no whole body was done, and the message says so", async () => {
    const ran = await runLine(POST, { aim: () => BLOWS.truncated });
    expect([ran.code, ran.requests.length, ran.held.length]).toEqual([6, 1, 1]);
    expect(ran.stderr).toContain("which is HTTP 200");
    expect(ran.stderr).toContain("the request succeeded: do not send it again");
  });
});

test.each([
  ["courses ls", 6, ""],
  ["courses publish", 0, ""],
  ["api GET", 6, ""],
] as const)(
  "an answer that goes on for more than 64 MiB without announcing it is given up: %s",
  async (name, code, stdout) => {
    const ran = await runLine(LINES[name], { aim: () => UNANNOUNCED });
    expect([ran.code, ran.stdout, ran.requests.length]).toEqual([code, stdout, 1]);
    if (code !== 0) expect(ran.stderr).toContain("larger than 64 MiB");
  },
);

test.each(["courses create", "courses push, of a new course"] as const)(
  "a course that was created, and that the look-up after a lost answer did not show yet, is one course: %s",
  async (name) => {
    const blind: Blow = async ({ outgoing }) => void outgoing.end("[]");
    const blows = [BLOWS["reset after"], blind];
    const ran = await runLine(LINES[name], {
      aim: (line) => (/^POST|[?&]id=/.test(line) ? blows.shift() : undefined),
    });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(LINES[name].shows)]);
    const own = ran.requests.filter((line) => /^POST|\?id=/.test(line));
    expect(own.map((line) => line.split(" ")[0])).toEqual(["POST", "GET", "POST", "GET"]);
    expect(ran.held).toHaveLength(3);
  },
);
