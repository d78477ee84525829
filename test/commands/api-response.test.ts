/** How `catalog api` prints responses of every kind. */
import { describe, expect, test } from "vitest";
import { type RunOptions, rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { COURSES, ROWS } from "./error-rows.ts";
import { id, jsonErrors, unreliableService } from "./helpers.ts";

type ServerResponse = Exclude<ServerBehavior, string>;

/** Runs `catalog api` with a service that sends this response. */
async function runWithResponse(
  response: Omit<ServerResponse, "status"> & { readonly status?: number },
  words: readonly string[] = [],
  options: RunOptions = {},
) {
  const r = await rig();
  const { environment } = await unreliableService(r, () => ({ status: 200, ...response }));
  const method = /^[A-Z]+$/.test(words[0] ?? "") ? [] : ["GET", "x"];
  return await r.run(["api", ...method, ...words], { environment, ...options });
}

describe("output on a terminal", () => {
  const terminal = { terminal: true, environment: { NO_COLOR: "1" } };

  async function printOnTerminal(body: string): Promise<string> {
    const r = await rig();
    const { environment } = await unreliableService(r, () => ({ status: 200, body }));
    const ran = await r.run(["api", "GET", "x"], {
      ...terminal,
      environment: { ...terminal.environment, ...environment },
    });
    expect(ran.code).toBe(0);
    return ran.stdout;
  }

  test("api prints 20,000 nested brackets on a terminal", async () => {
    const body = "[".repeat(20_000) + "]".repeat(20_000);
    expect((await printOnTerminal(body)).replace(/\s/g, "")).toBe(body);
  });
});

describe("status line", () => {
  test("api -i prints the status and the headers before the body", async () => {
    const headers = { "X-Later": "é\u009b1m\ttab", "content-type": "text/plain", date: "now" };
    const ran = await runWithResponse({ status: 203, headers, body: "a\r\nb" }, ["-i"]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toMatch(
      /^HTTP 203 Non-Authoritative Information\nx-later: é\\x9b1m\\ttab\ncontent-type: text\/plain\ndate: now\n([a-z-]+: [^\n]*\n)*\na\r\nb$/,
    );
  });
});

describe("error responses", () => {
  test.each(ROWS)("api prints an error body ($title) and exits with $code", async (row) => {
    const { method, status, body = "", code, error } = row;
    const data = method === "POST" || method === "PATCH" ? ["-d", "{}"] : [];
    const words = [method, `${COURSES}?id=${id(1)}`, ...data];
    const ran = await runWithResponse({ status, body }, [...words, "--json"]);
    expect([ran.code, ran.stdout]).toEqual([code, body]);
    const { file: _, line: __, ...expected } = error;
    expect(jsonErrors(ran)).toMatchObject([{ ...expected, status }]);

    const text = await runWithResponse({ status, body }, words);
    expect([text.code, text.stdout]).toEqual([code, body]);
    expect(text.stderr).toContain(`HTTP ${status}`);
    if (typeof error.hint === "string") expect(text.stderr).toContain(`hint: ${error.hint}`);
  });
});
