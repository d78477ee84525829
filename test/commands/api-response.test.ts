/** How `catalog api` prints responses of every kind. */
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { type RunOptions, rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { COURSES, ROWS } from "./error-rows.ts";
import { id, jsonErrors, jsonMessages, unreliableService } from "./helpers.ts";

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

/** A body that would color, move and reorder what a terminal shows. */
const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u202etxt\u0000\r\u0085";

describe("output off a terminal", () => {
  test.each([
    "",
    "[]",
    '{"a":1.50,"a":2,"b":11223344556677889911}',
    " [ 1 ,\r\n2]\n\n",
    "<html>\n",
    "no end of line",
  ])("api prints the body %j unchanged off a terminal", async (body) => {
    const ran = await runWithResponse({ body });
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, body, "HTTP 200 OK\n"]);
  });
});

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

  test("api escapes control characters on a terminal and ends its output with a line break", async () => {
    const json = JSON.stringify({ name: `${HOSTILE}\u009b1m\u2028` });
    const bidi = '{"\u202e":"\u009b"}';
    for (const body of [HOSTILE, json, bidi, `${HOSTILE}\n{`]) {
      const text = await printOnTerminal(body);
      expect(text).toMatch(/[^\n]\n$/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
    }
    expect(JSON.parse(await printOnTerminal(json))).toEqual(JSON.parse(json));
    expect(JSON.parse(await printOnTerminal(bidi))).toEqual(JSON.parse(bidi));
  });

  test("api prints 20,000 nested brackets on a terminal", async () => {
    const body = "[".repeat(20_000) + "]".repeat(20_000);
    expect((await printOnTerminal(body)).replace(/\s/g, "")).toBe(body);
  });
});

describe("status line", () => {
  test("api prints the status on stderr, as a notice with --json and not at all with --quiet", async () => {
    const body = '{"a":1}';
    expect((await runWithResponse({ body, status: 202 })).stderr).toBe("HTTP 202 Accepted\n");
    expect((await runWithResponse({ body }, ["-q"])).stderr).toBe("");
    expect(jsonMessages(await runWithResponse({ body }, ["--json"]))).toEqual([
      { notice: "HTTP 200 OK" },
    ]);
  });

  test("api -i prints the status and the headers before the body", async () => {
    const headers = { "X-Later": "é\u009b1m\ttab", "content-type": "text/plain", date: "now" };
    const ran = await runWithResponse({ status: 203, headers, body: "a\r\nb" }, ["-i"]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toMatch(
      /^HTTP 203 Non-Authoritative Information\nx-later: é\\x9b1m\\ttab\ncontent-type: text\/plain\ndate: now\n([a-z-]+: [^\n]*\n)*\na\r\nb$/,
    );
  });

  test.each([
    ["\u001b[2Jfine\u0007", "HTTP 200 \\x1b[2Jfine\\x07"],
    ["", "HTTP 200"],
    ["Alles in Ordnung", "HTTP 200 Alles in Ordnung"],
  ])("api escapes the reason %j of a status line", async (reason, shown) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(`HTTP/1.1 200 ${reason}\r\nset-cookie: a\r\nx: 1\r\nset-cookie: b\r\n\r\nbody`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}` };
    const r = await rig();
    const withoutHeaders = await r.run(["api", "GET", "x"], { environment });
    expect([withoutHeaders.code, withoutHeaders.stderr, withoutHeaders.stdout]).toEqual([
      0,
      `${shown}\n`,
      "body",
    ]);
    const withHeaders = await r.run(["api", "GET", "x", "-i"], { environment });
    expect(withHeaders.stdout).toBe(`${shown}\nset-cookie: a, b\nx: 1\n\nbody`);
  });

  test("api --include prints the status of an error before the body, and the error on stderr", async () => {
    const body = '{"hint":"no","details":null}';
    const ran = await runWithResponse({ status: 400, body }, ["--include"]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^HTTP 400 Bad Request\n[\s\S]*\n\n\{"hint":"no","details":null\}$/);
    expect(ran.stderr).toMatch(/^error: could not GET \/x: [^\n]*\n {2}hint: no\n$/);
  });

  test("api HEAD prints no body, and with -i only the status and the headers", async () => {
    const headers = { "content-length": "500", "content-encoding": "gzip" };
    const ran = await runWithResponse({ headers }, ["HEAD", "x", "-i"]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toMatch(/^HTTP 200 OK\ncontent-length: 500\ncontent-encoding: gzip\n/);
    expect(ran.stdout.endsWith("\n\n")).toBe(true);
    expect(await runWithResponse({ headers }, ["HEAD", "x"])).toMatchObject({
      code: 0,
      stdout: "",
    });
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

  test("api masks the key in an error response", async () => {
    const body = `{"hint":"Invalid API Key","details":"You sent ${DEFAULT_KEY}"}`;
    for (const mode of [[], ["-i"], ["--json"]]) {
      const ran = await runWithResponse(
        { status: 401, body, headers: { "x-sent": DEFAULT_KEY } },
        mode,
      );
      expect([ran.code, ran.stdout.includes("********")]).toEqual([4, true]);
    }
  });

  test("api never shows the secret part of the key if the service rejects the key", async () => {
    const [, secret = ""] = DEFAULT_KEY.split(".");
    for (const mode of [[], ["-v"], ["--json", "-v"], ["-i"]]) {
      const ran = await runWithResponse({ status: 401, body: '{"hint":"Invalid API Key"}' }, mode);
      expect(ran.code).toBe(4);
      expect(`${ran.stdout}${ran.stderr}`).not.toContain(secret);
    }
  });
});

describe("--json", () => {
  test.each(["[1,2]", '{"a":1.50}', "<html></html>"])("api --json keeps body %s", async (body) => {
    const ran = await runWithResponse({ body }, ["--json"]);
    expect([ran.stdout, jsonMessages(ran)]).toEqual([body, [{ notice: "HTTP 200 OK" }]]);
  });

  test("api --json prints nothing and no warning for an empty body", async () => {
    const ran = await runWithResponse({ status: 204 }, ["--json"]);
    expect([ran.code, ran.stdout, ran.stderr.includes("warning")]).toEqual([0, "", false]);
  });
});
