/** What the server does to a request for each fault of the table. */
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { ForwardedResponse } from "../unreliable-server.ts";
import type { FaultInjector, InterceptedRequest } from "./server.ts";

/** The page that a proxy sends instead of the service's response. */
const PAGE = "<!DOCTYPE html>\n<html><body><h1>Please log in</h1></body></html>\n";
/** The page that a proxy sends for an error. */
const ERROR_PAGE = "<html><body><h1>Bad Gateway</h1></body></html>\n";
/** Responds without forwarding the request to the sandbox. */
function answer(
  status: number,
  body = "",
  headers: Readonly<Record<string, string>> = {},
): FaultInjector {
  return async ({ outgoing }) => {
    outgoing.writeHead(status, headers);
    outgoing.end(body);
  };
}

/** Redirects to the same path on another server. */
function redirect(status: number): FaultInjector {
  return async (intercepted) => {
    await answer(status, "", { location: await intercepted.elsewhere() })(intercepted);
  };
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json" };

/** Forwards the request. @returns the response, with a body even if it had none, so that a fault can corrupt it */
async function bodied({ pass }: InterceptedRequest): Promise<ForwardedResponse> {
  const { status, headers, body } = await pass();
  const isEmpty = body.length === 0;
  return {
    status: isEmpty ? 200 : status,
    headers: isEmpty ? JSON_TYPE : headers,
    body: isEmpty ? Buffer.from('[{"id":"done"}]') : body,
  };
}

/** Writes raw bytes, each piece as a separate packet. */
async function raw(
  intercepted: InterceptedRequest,
  pieces: Iterable<Uint8Array | string>,
): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve) => intercepted.socket.write(piece, () => resolve()));
    await setImmediate();
  }
}

/** The status line and headers of a response. */
function head(status: number, ...lines: readonly string[]): string {
  const all = [`HTTP/1.1 ${status} Injected`, "content-type: application/json", ...lines];
  return `${all.join("\r\n")}\r\n\r\n`;
}

/** Splits bytes into about `count` pieces. */
function* pieces(bytes: Uint8Array, count: number): Generator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / count));
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

function firstHalf({ body }: ForwardedResponse): Uint8Array {
  return body.subarray(0, Math.ceil(body.length / 2));
}

function lengthOf({ body }: ForwardedResponse): string {
  return `content-length: ${body.length}`;
}

/** Forwards the request and changes the response. */
function rewritten(
  change: (passed: ForwardedResponse) => Partial<ForwardedResponse>,
): FaultInjector {
  return async (intercepted) => {
    const passed = await bodied(intercepted);
    const { headers, body } = { ...passed, ...change(passed) };
    const { "content-length": _, "transfer-encoding": __, ...others } = headers;
    intercepted.outgoing.writeHead(passed.status, { ...others, "content-length": body.length });
    intercepted.outgoing.end(body);
  };
}

/** Statuses of failures that are not repeated. */
const OTHER_FAILURES = [501, 507, 520, 521, 522, 523, 524] as const;
let otherFailures = 0;

/** Every injector by its name. */
export const INJECTORS = {
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
  "slow head": async (intercepted) => {
    const passed = await bodied(intercepted);
    const text = head(passed.status, lengthOf(passed), "connection: close");
    await raw(intercepted, [...pieces(Buffer.from(text), 12), passed.body]);
    intercepted.socket.end();
  },
  "slow body": async (intercepted) => {
    const passed = await bodied(intercepted);
    await raw(intercepted, [head(passed.status, lengthOf(passed), "connection: close")]);
    await raw(intercepted, pieces(passed.body, 12));
    intercepted.socket.end();
  },
  stalled: async (intercepted) => {
    const passed = await bodied(intercepted);
    await raw(intercepted, [head(passed.status, lengthOf(passed)), firstHalf(passed)]);
    await intercepted.timeOut();
  },

  truncated: async (intercepted) => {
    const passed = await bodied(intercepted);
    await raw(intercepted, [head(passed.status, lengthOf(passed)), firstHalf(passed)]);
    intercepted.socket.destroy();
  },
  "truncated chunks": async (intercepted) => {
    const passed = await bodied(intercepted);
    const half = firstHalf(passed);
    const length = half.length.toString(16);
    await raw(intercepted, [head(passed.status, "transfer-encoding: chunked")]);
    await raw(intercepted, [`${length}\r\n`, half, "\r\n"]);
    intercepted.socket.destroy();
  },
  "broken JSON": rewritten((passed) => ({ body: Buffer.from(firstHalf(passed)) })),
  "other JSON": rewritten(() => ({ body: Buffer.from('{"courses":[]}') })),
  "nothing in it": async (intercepted) => {
    const { status } = await bodied(intercepted);
    intercepted.outgoing.writeHead(status, JSON_TYPE);
    intercepted.outgoing.end();
  },
  gzip: rewritten(({ body, headers }) => ({
    body: gzipSync(body),
    headers: { ...headers, "content-encoding": "gzip" },
  })),
  "broken gzip": rewritten(({ body, headers }) => ({
    body: gzipSync(body).fill(0, 12),
    headers: { ...headers, "content-encoding": "gzip" },
  })),
  "no HTTP": async (intercepted) => {
    await intercepted.pass();
    await raw(intercepted, ["SSH-2.0-OpenSSH_9.6\r\n"]);
    intercepted.socket.end();
  },
  "flood of headers": async (intercepted) => {
    const { status } = await bodied(intercepted);
    await raw(intercepted, [
      `HTTP/1.1 ${status} Injected\r\n`,
      `x-filler: ${"a".repeat(100_000)}\r\n\r\n`,
    ]);
    intercepted.socket.destroy();
  },
  "early hints": async (intercepted) => {
    const passed = await bodied(intercepted);
    await raw(intercepted, ["HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n"]);
    await raw(intercepted, [
      head(passed.status, lengthOf(passed), "connection: close"),
      passed.body,
    ]);
    intercepted.socket.end();
  },

  "429 seconds": answer(429, "", { "retry-after": "7" }),
  "429 date": async (intercepted) => {
    const date = new Date(intercepted.now + 7000).toUTCString();
    await answer(429, "", { "retry-after": date })(intercepted);
  },
  "429 an hour": answer(429, "", { "retry-after": "3600" }),
  "500 hint": answer(500, '{"hint":"Limit Too High","details":"Not so many"}', JSON_TYPE),
  "500": answer(500, '{"hint":null,"details":null,"message":"out of memory"}', JSON_TYPE),
  "502": answer(502, ERROR_PAGE, HTML),
  "503": answer(503, "", { "retry-after": "7" }),
  "504": async (intercepted) => {
    await intercepted.pass();
    await answer(504, ERROR_PAGE, HTML)(intercepted);
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
  "other failure": async (intercepted) => {
    const status = OTHER_FAILURES[otherFailures++ % OTHER_FAILURES.length] ?? 501;
    await answer(status, ERROR_PAGE, HTML)(intercepted);
  },

  repeated: async ({ pass, outgoing }) => {
    await pass();
    const { status, headers, body } = await pass();
    outgoing.writeHead(status, headers);
    outgoing.end(body);
  },
} satisfies Readonly<Record<string, FaultInjector>>;

/** The name of an injector. */
export type InjectorName = keyof typeof INJECTORS;
