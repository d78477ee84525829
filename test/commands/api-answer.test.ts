/** What `catalog api` makes of answers of every kind (cli.md sections 3, 4 and 11). */

import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { type RunOptions, rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { COURSES, ROWS } from "./error-rows.ts";
import { id, jsonErrors, jsonMessages, lines, unreliableService } from "./helpers.ts";

type Answered = Exclude<ServerBehavior, string>;

/** Runs `catalog api` on a service that gives that answer. */
async function meeting(
  answer: Omit<Answered, "status"> & { readonly status?: number },
  words: readonly string[] = [],
  options: RunOptions = {},
) {
  const r = await rig();
  const { environment } = await unreliableService(r, () => ({ status: 200, ...answer }));
  const method = /^[A-Z]+$/.test(words[0] ?? "") ? [] : ["GET", "x"];
  return await r.run(["api", ...method, ...words], { environment, ...options });
}

/** A body that would color, move and reorder what a terminal shows. */
const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u202etxt\u0000\r\u0085";

describe("off a terminal", () => {
  test.each([
    "",
    "[]",
    '{"a":1.50,"a":2,"b":11223344556677889911}',
    " [ 1 ,\r\n2]\n\n",
    "<html>\n",
    "no end of line",
    "\ufeff{}",
    `${HOSTILE}\n`,
  ])("a body comes out as it came in: %j", async (body) => {
    const ran = await meeting({ body });
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, body, "HTTP 200 OK\n"]);
  });
});

describe("on a terminal", () => {
  const terminal = { terminal: true, environment: { NO_COLOR: "1" } };

  async function shown(body: string): Promise<string> {
    const r = await rig();
    const { environment } = await unreliableService(r, () => ({ status: 200, body }));
    const ran = await r.run(["api", "GET", "x"], {
      ...terminal,
      environment: { ...terminal.environment, ...environment },
    });
    expect(ran.code).toBe(0);
    return ran.stdout;
  }

  test("JSON is laid out, with its numbers and keys as they came", async () => {
    expect(await shown('{"a":1.50,"a":[11223344556677889911,{}]}\n')).toBe(
      '{\n  "a": 1.50,\n  "a": [\n    11223344556677889911,\n    {}\n  ]\n}\n',
    );
  });

  test("hostile text is made safe, in JSON and elsewhere, and ends its line", async () => {
    const json = JSON.stringify({ name: `${HOSTILE}\u009b1m\u2028` });
    const bidi = '{"\u202e":"\u009b"}';
    for (const body of [HOSTILE, json, bidi, `${HOSTILE}\n{`]) {
      const text = await shown(body);
      expect(text).toMatch(/[^\n]\n$/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
    }
    expect(JSON.parse(await shown(json))).toEqual(JSON.parse(json));
    expect(JSON.parse(await shown(bidi))).toEqual(JSON.parse(bidi));
  });

  test("brackets without end are shown in bounded time", async () => {
    const body = "[".repeat(20_000) + "]".repeat(20_000);
    expect((await shown(body)).replace(/\s/g, "")).toBe(body);
  });
});

describe("the status", () => {
  test("goes to standard error, where --quiet hides it and --json makes a notice of it", async () => {
    const body = '{"a":1}';
    expect((await meeting({ body, status: 202 })).stderr).toBe("HTTP 202 Accepted\n");
    expect((await meeting({ body }, ["-q"])).stderr).toBe("");
    expect(jsonMessages(await meeting({ body }, ["--json"]))).toEqual([{ notice: "HTTP 200 OK" }]);
  });

  test("and the headers go before the body with -i, and to standard error no more", async () => {
    const headers = { "X-Later": "é\u009b1m\ttab", "content-type": "text/plain", date: "now" };
    const ran = await meeting({ status: 203, headers, body: "a\r\nb" }, ["-i"]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toMatch(
      /^HTTP 203 Non-Authoritative Information\nx-later: é\\x9b1m\\ttab\ncontent-type: text\/plain\ndate: now\n([a-z-]+: [^\n]*\n)*\na\r\nb$/,
    );
  });

  test.each([
    ["\u001b[2Jfine\u0007", "HTTP 200 \\x1b[2Jfine\\x07"],
    ["", "HTTP 200"],
    ["Alles in Ordnung", "HTTP 200 Alles in Ordnung"],
  ])("may say anything, and is shown safely: %j", async (reason, shown) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(`HTTP/1.1 200 ${reason}\r\nset-cookie: a\r\nx: 1\r\nset-cookie: b\r\n\r\nbody`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}` };
    const r = await rig();
    const beside = await r.run(["api", "GET", "x"], { environment });
    expect([beside.code, beside.stderr, beside.stdout]).toEqual([0, `${shown}\n`, "body"]);
    const before = await r.run(["api", "GET", "x", "-i"], { environment });
    expect(before.stdout).toBe(`${shown}\nset-cookie: a, b\nx: 1\n\nbody`);
  });

  test("of a refusal goes before the body with -i, and the error to standard error", async () => {
    const body = '{"hint":"no","details":null}';
    const ran = await meeting({ status: 400, body }, ["--include"]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^HTTP 400 Bad Request\n[\s\S]*\n\n\{"hint":"no","details":null\}$/);
    expect(ran.stderr).toMatch(/^error: could not GET \/x: [^\n]*\n {2}hint: no\n$/);
  });

  test("is all there is of HEAD, whose headers speak of a body that does not come", async () => {
    const headers = { "content-length": "500", "content-encoding": "gzip" };
    const ran = await meeting({ headers }, ["HEAD", "x", "-i"]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toMatch(/^HTTP 200 OK\ncontent-length: 500\ncontent-encoding: gzip\n/);
    expect(ran.stdout.endsWith("\n\n")).toBe(true);
    expect(await meeting({ headers }, ["HEAD", "x"])).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("a refusal", () => {
  test.each(ROWS)("$title: its body on standard output, exit $code", async (row) => {
    const { method, status, body = "", code, error } = row;
    const data = method === "POST" || method === "PATCH" ? ["-d", "{}"] : [];
    const words = [method, `${COURSES}?id=${id(1)}`, ...data];
    const ran = await meeting({ status, body }, [...words, "--json"]);
    expect([ran.code, ran.stdout]).toEqual([code, body]);
    const { file: _, line: __, ...expected } = error;
    expect(jsonErrors(ran)).toMatchObject([{ ...expected, status }]);

    const text = await meeting({ status, body }, words);
    expect([text.code, text.stdout]).toEqual([code, body]);
    expect(text.stderr).toContain(`HTTP ${status}`);
    if (typeof error.hint === "string") expect(text.stderr).toContain(`hint: ${error.hint}`);
  });

  test.each(["table", "csv", "id", "yaml", "ndjson"])(
    "is not hidden by --output %s",
    async (format) => {
      const body = '{"hint":"Limit Too High","details":null}';
      const ran = await meeting({ status: 500, body }, ["-o", format, "--fields", "id"]);
      expect([ran.code, ran.stdout]).toEqual([1, body]);
    },
  );

  test("that says the key back does not show it", async () => {
    const body = `{"hint":"Invalid API Key","details":"You sent ${DEFAULT_KEY}"}`;
    for (const mode of [[], ["-i"], ["--json"]]) {
      const ran = await meeting({ status: 401, body, headers: { "x-sent": DEFAULT_KEY } }, mode);
      expect([ran.code, ran.stdout.includes("********")]).toEqual([4, true]);
    }
  });

  test("of the key shows the key in no mode", async () => {
    const [, secret = ""] = DEFAULT_KEY.split(".");
    for (const mode of [[], ["-v"], ["--json", "-v"], ["-i"], ["-o", "table"]]) {
      const ran = await meeting({ status: 401, body: '{"hint":"Invalid API Key"}' }, mode);
      expect(ran.code).toBe(4);
      expect(`${ran.stdout}${ran.stderr}`).not.toContain(secret);
    }
  });
});

describe("in a format", () => {
  const list = '[{"id":"1","n":{"x":[7]}},{"id":"2","extra":true}]';

  test.each([
    ["json", '[\n  {\n    "id": "1",'],
    ["ndjson", '{"id":"1","n":{"x":[7]}}\n{"id":"2","extra":true}\n'],
    ["yaml", "- id: '1'\n  'n':\n"],
    ["csv", 'id,n,extra\r\n1,"{""x"":[7]}",\r\n2,,true\r\n'],
    ["id", "1\n2\n"],
    ["table", 'ID  N\n1   {"x":[7]}\n2   –\n'],
  ])("%s shows a list of objects", async (format, start) => {
    const ran = await meeting({ body: list }, ["-o", format]);
    expect([ran.code, ran.stderr.includes("warning")]).toEqual([0, false]);
    expect(ran.stdout.startsWith(start)).toBe(true);
  });

  test.each([
    ["json", '{\n  "id": "1",\n  "b": null\n}\n'],
    ["yaml", "id: '1'\nb: null\n"],
    ["csv", "id,b\r\n1,\r\n"],
    ["id", "1\n"],
    ["table", "ID  B\n1   –\n"],
  ])("%s shows one object as itself", async (format, whole) => {
    const ran = await meeting({ body: '{"id":"1","b":null}' }, ["-o", format]);
    expect([ran.code, ran.stdout]).toEqual([0, whole]);
  });

  test("--fields chooses, by paths too; a field that is not there is warned about", async () => {
    const ran = await meeting({ body: list }, ["-o", "csv", "--fields", "n.x[0],id,nmae"]);
    expect([ran.code, ran.stdout]).toEqual([0, "n.x[0],id,nmae\r\n7,1,\r\n,2,\r\n"]);
    expect(lines(ran.stderr)).toEqual(["HTTP 200 OK", "warning: the response has no field nmae"]);
  });

  test.each([
    ["json", "[]\n"],
    ["yaml", "[]\n"],
    ["ndjson", ""],
    ["csv", ""],
    ["table", ""],
    ["id", ""],
  ])("%s of an empty list is %j", async (format, whole) => {
    const ran = await meeting({ body: "[]" }, ["-o", format, "-q"]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, whole, ""]);
  });

  test.each(["csv", "table"])("%s of objects without a key is nothing", async (format) => {
    for (const body of ["{}", "[{},{}]"]) {
      expect(await meeting({ body }, ["-o", format])).toMatchObject({ code: 0, stdout: "" });
    }
  });

  test.each(["7", '"text"', "[1,2]", '[{"id":1},2]', "<html></html>", "{", "null", " \n"])(
    "what is no object and no list of them is printed as it came, with a warning: %j",
    async (body) => {
      for (const format of ["table", "csv", "id", "yaml"]) {
        const ran = await meeting({ body }, ["-o", format]);
        expect([ran.code, ran.stdout]).toEqual([0, body]);
        expect(ran.stderr).toContain("warning: the body is not an object or a list of objects");
      }
    },
  );

  test("JSON that is no rows is still the JSON that --json asks for", async () => {
    const ran = await meeting({ body: "[1,2]" }, ["--json"]);
    expect([ran.stdout, jsonMessages(ran)]).toEqual(["[1,2]", [{ notice: "HTTP 200 OK" }]]);
  });

  test("no body at all is nothing, without a warning", async () => {
    for (const format of ["json", "table", "csv"]) {
      const ran = await meeting({ status: 204 }, ["-o", format]);
      expect([ran.code, ran.stdout, ran.stderr.includes("warning")]).toEqual([0, "", false]);
    }
  });

  test("a value that nests without end is printed as it came", async () => {
    const body = `[${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}]`;
    for (const format of ["json", "yaml", "table", "csv"]) {
      const ran = await meeting({ body }, ["-o", format]);
      expect([ran.code, ran.stdout === body]).toEqual([0, true]);
    }
  });

  test("keys that every object of the language has are data", async () => {
    const body = '[{"__proto__":"a","constructor":"b","toString":"c"}]';
    const ran = await meeting({ body }, ["-o", "csv"]);
    expect([ran.code, ran.stdout]).toEqual([0, "__proto__,constructor,toString\r\na,b,c\r\n"]);
  });
});
