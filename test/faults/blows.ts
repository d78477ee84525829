/** What befalls a request in each fault of the table, as the server does it. */
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { memoize } from "../../src/base/values.ts";
import type { Passed } from "../unreliable.ts";
import type { Blow, Struck } from "./server.ts";

/** The page that a proxy shows in the service's place. */
const PAGE = "<!DOCTYPE html>\n<html><body><h1>Please log in</h1></body></html>\n";
/** The one that it shows when something is wrong. */
const ERROR_PAGE = "<html><body><h1>Bad Gateway</h1></body></html>\n";
/** More bytes than any answer of the service has. */
const TOO_MANY = 65 * 2 ** 20;
const tooMuch = memoize(() => Buffer.alloc(TOO_MANY, " "));
const bomb = memoize(() => gzipSync(tooMuch()));

/** An answer in the place of the sandbox's, which is not asked. */
function answer(status: number, body = "", headers: Readonly<Record<string, string>> = {}): Blow {
  return async ({ outgoing }) => {
    outgoing.writeHead(status, headers);
    outgoing.end(body);
  };
}

/** A redirect to the same path of another server. */
function redirect(status: number): Blow {
  return async (struck) => {
    await answer(status, "", { location: await struck.elsewhere() })(struck);
  };
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json" };

/** The sandbox's answer, with a body where it had none: a spoilt one needs something to spoil. */
async function bodied({ pass }: Struck): Promise<Passed> {
  const { status, headers, body } = await pass();
  const isEmpty = body.length === 0;
  return {
    status: isEmpty ? 200 : status,
    headers: isEmpty ? JSON_TYPE : headers,
    body: isEmpty ? Buffer.from('[{"id":"done"}]') : body,
  };
}

/** Writes these bytes as they are, one piece after the other, each a packet of its own. */
async function raw(struck: Struck, pieces: Iterable<Uint8Array | string>): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve) => struck.socket.write(piece, () => resolve()));
    await setImmediate();
  }
}

/** The head of an answer, up to its body. */
function head(status: number, ...lines: readonly string[]): string {
  const all = [`HTTP/1.1 ${status} Told`, "content-type: application/json", ...lines];
  return `${all.join("\r\n")}\r\n\r\n`;
}

/** About so many pieces of the same bytes. */
function* pieces(bytes: Uint8Array, count: number): Generator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / count));
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

function firstHalf({ body }: Passed): Uint8Array {
  return body.subarray(0, Math.ceil(body.length / 2));
}

function lengthOf({ body }: Passed): string {
  return `content-length: ${body.length}`;
}

/** An answer whose body is another one, or is written otherwise. */
function rewritten(change: (passed: Passed) => Partial<Passed>): Blow {
  return async (struck) => {
    const passed = await bodied(struck);
    const { headers, body } = { ...passed, ...change(passed) };
    const { "content-length": _, "transfer-encoding": __, ...others } = headers;
    struck.outgoing.writeHead(passed.status, { ...others, "content-length": body.length });
    struck.outgoing.end(body);
  };
}

/** Every blow by its name. */
export const BLOWS = {
  "reset before": async ({ socket }) => {
    socket.resetAndDestroy();
  },
  "reset after": async ({ pass, socket }) => {
    await pass();
    socket.resetAndDestroy();
  },
  "closed after": async ({ pass, socket }) => {
    await pass();
    socket.end();
  },
  gone: async ({ vanish }) => vanish(),
  returns: async ({ vanish }) => vanish(3),
  silent: async ({ pass, timeOut }) => {
    await pass();
    await timeOut();
  },
  "slow head": async (struck) => {
    const passed = await bodied(struck);
    const text = head(passed.status, lengthOf(passed), "connection: close");
    await raw(struck, [...pieces(Buffer.from(text), 12), passed.body]);
    struck.socket.end();
  },
  "slow body": async (struck) => {
    const passed = await bodied(struck);
    await raw(struck, [head(passed.status, lengthOf(passed), "connection: close")]);
    await raw(struck, pieces(passed.body, 12));
    struck.socket.end();
  },
  stalled: async (struck) => {
    const passed = await bodied(struck);
    await raw(struck, [head(passed.status, lengthOf(passed)), firstHalf(passed)]);
    await struck.timeOut();
  },

  truncated: async (struck) => {
    const passed = await bodied(struck);
    await raw(struck, [head(passed.status, lengthOf(passed)), firstHalf(passed)]);
    struck.socket.destroy();
  },
  "truncated chunks": async (struck) => {
    const passed = await bodied(struck);
    const half = firstHalf(passed);
    const length = half.length.toString(16);
    await raw(struck, [head(passed.status, "transfer-encoding: chunked")]);
    await raw(struck, [`${length}\r\n`, half, "\r\n"]);
    struck.socket.destroy();
  },
  "length too small": async (struck) => {
    const passed = await bodied(struck);
    await raw(struck, [head(passed.status, "content-length: 5"), passed.body]);
    struck.socket.end();
  },
  "broken JSON": rewritten((passed) => ({ body: Buffer.from(firstHalf(passed)) })),
  "other JSON": rewritten(() => ({ body: Buffer.from('{"courses":[]}') })),
  "nothing in it": async (struck) => {
    const { status } = await bodied(struck);
    struck.outgoing.writeHead(status, JSON_TYPE);
    struck.outgoing.end();
  },
  gzip: rewritten(({ body, headers }) => ({
    body: gzipSync(body),
    headers: { ...headers, "content-encoding": "gzip" },
  })),
  "broken gzip": rewritten(({ body, headers }) => ({
    body: gzipSync(body).fill(0, 12),
    headers: { ...headers, "content-encoding": "gzip" },
  })),
  "gzip bomb": rewritten(({ headers }) => ({
    body: bomb(),
    headers: { ...headers, "content-encoding": "gzip" },
  })),
  "other encoding": rewritten(({ headers }) => ({
    headers: { ...headers, "content-encoding": "zstd" },
  })),
  enormous: async (struck) => {
    const { status } = await bodied(struck);
    await raw(struck, [head(status, `content-length: ${TOO_MANY}`), "[ "]);
  },
  "no HTTP": async (struck) => {
    await struck.pass();
    await raw(struck, ["SSH-2.0-OpenSSH_9.6\r\n"]);
    struck.socket.end();
  },
  "flood of headers": async (struck) => {
    const { status } = await bodied(struck);
    await raw(struck, [`HTTP/1.1 ${status} Told\r\n`, `x-filler: ${"a".repeat(100_000)}\r\n\r\n`]);
    struck.socket.destroy();
  },
  "early hints": async (struck) => {
    const passed = await bodied(struck);
    await raw(struck, ["HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n"]);
    await raw(struck, [head(passed.status, lengthOf(passed), "connection: close"), passed.body]);
    struck.socket.end();
  },

  "429 seconds": answer(429, "", { "retry-after": "7" }),
  "429 date": async (struck) => {
    const date = new Date(struck.now + 7000).toUTCString();
    await answer(429, "", { "retry-after": date })(struck);
  },
  "429 an hour": answer(429, "", { "retry-after": "3600" }),
  "500 hint": answer(500, '{"hint":"Limit Too High","details":"Not so many"}', JSON_TYPE),
  "500": answer(500, '{"hint":null,"details":null,"message":"out of memory"}', JSON_TYPE),
  "502": answer(502, ERROR_PAGE, HTML),
  "503": answer(503, "", { "retry-after": "7" }),
  "504": async (struck) => {
    await struck.pass();
    await answer(504, ERROR_PAGE, HTML)(struck);
  },
  "400": answer(400, '{"hint":"name is blank","details":null}', JSON_TYPE),
  "401": answer(
    401,
    '{"hint":"Invalid API Key","details":"Check if your API Key is correct or generate a new one"}',
    JSON_TYPE,
  ),
  "403": answer(403, "<html><body>Forbidden</body></html>\n", HTML),
  "404": answer(404, "<html><body>Not Found</body></html>\n", HTML),
  "302": redirect(302),
  "307": redirect(307),
  page: answer(200, PAGE, HTML),
} satisfies Readonly<Record<string, Blow>>;

/** The name of a blow. */
export type BlowName = keyof typeof BLOWS;

/** As `enormous`, but that nothing announces it. */
export const UNANNOUNCED: Blow = async (struck) => {
  const { status } = await bodied(struck);
  await raw(struck, [head(status, "connection: close"), tooMuch()]);
  struck.socket.end();
};
