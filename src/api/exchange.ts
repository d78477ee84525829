/** Takes one answer from undici piece by piece, with no stream in between. */
import type { Dispatcher } from "undici";
import { systemCode } from "../base/errors.ts";
import { Page, type PageMemory } from "./page-memory.ts";
import {
  type BufferedResponse,
  type Head,
  interruption,
  type Request,
  type SendOptions,
  TransportError,
} from "./transport.ts";
import { noAnswer, tooLarge } from "./transport-error.ts";

/** No answer of the service is larger: a page has 100 courses. In bytes. */
export const MAX_RESPONSE_SIZE = 64 * 1024 * 1024;

/** An answer as it came, before anything was unpacked. */
interface Received {
  readonly head: Head;
  readonly pieces: Buffer[];
  readonly brokenBy?: TransportError;
}

/**
 * Carries out one exchange, once.
 *
 * @param memory where pages come together
 * @throws NoAnswer when no answer began
 */
export async function exchange(
  dispatcher: Dispatcher,
  memory: PageMemory,
  sent: Request,
  options: SendOptions,
): Promise<BufferedResponse> {
  if (options.signal?.aborted) throw interruption();
  const { head, pieces, brokenBy } = await receive(dispatcher, sent, options);
  if (brokenBy !== undefined) return { ...head, text: "", bodyError: brokenBy };
  // They are taken away from where they lie: whoever still knows of a request that is over, as undici
  // may for a while, is not to keep its answer in memory.
  const body = pieces.splice(0);
  const encoding = head.headers["content-encoding"];
  const isPlain = encoding === undefined || encoding === "identity";
  if (isPlain && options.keepsBytes !== true) return new Page(head, body, memory);
  try {
    const bytes = await decode(Buffer.concat(body), encoding);
    return { ...head, text: bytes.toString("utf8"), bytes };
  } catch (error) {
    return { ...head, text: "", bodyError: noAnswer(error) };
  }
}

/** Resolves with as much as came, within the time and until the signal ends it. */
function receive(dispatcher: Dispatcher, sent: Request, options: SendOptions): Promise<Received> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let head: Received["head"] | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: TransportError | undefined;

    const stop = (reason: TransportError): void => {
      stopped ??= reason;
      fail(stopped);
      controller?.abort(stopped);
    };
    const fail = (brokenBy: TransportError): void => {
      settled();
      if (head === undefined) reject(brokenBy);
      else resolve({ head, pieces, brokenBy });
    };
    const settled = stopping(stop, options);

    const url = new URL(sent.url);
    const request = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: sent.method,
      headers: sent.headers,
      body: sent.bytes ?? sent.body ?? null,
    };
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        // What ended while the connection was being made is never sent.
        if (stopped !== undefined) started.abort(stopped);
      },
      onResponseStart(_, status, raw, reason = "") {
        if (status < 200) return;
        const headers = flatten(raw);
        head = { status, reason, headers };
        // An answer without a body, as to HEAD, announces what it would have.
        const announced = sent.method === "HEAD" ? 0 : Number(headers["content-length"]);
        if (announced > MAX_RESPONSE_SIZE) stop(tooLarge());
      },
      onResponseData(_, piece) {
        pieces.push(piece);
      },
      onResponseEnd() {
        settled();
        if (head !== undefined) resolve({ head, pieces });
      },
      onResponseError(_, error) {
        fail(stopped ?? noAnswer(error));
      },
    });
  });
}

/**
 * Calls `stop` when the time is over or the signal says so.
 *
 * @returns what calls it off. The signal's dead listeners can keep one another in memory for long:
 * from then on nothing of the exchange hangs on them
 */
function stopping(
  stop: (reason: TransportError) => void,
  { timeout, signal }: SendOptions,
): () => void {
  let waiting: typeof stop | undefined = stop;
  const interrupt = (): void => waiting?.(interruption());
  const timer = setTimeout(() => {
    waiting?.(new TransportError(`no answer within ${timeout / 1000} s`, { code: "TIMEOUT" }));
  }, timeout);
  signal?.addEventListener("abort", interrupt, { once: true });
  return () => {
    waiting = undefined;
    clearTimeout(timer);
    signal?.removeEventListener("abort", interrupt);
  };
}

function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries);
}

/** Some proxies compress although nobody asked them to. */
async function decode(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  // An answer without a body, as to HEAD, still names the encoding that its body would have.
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  const zlib = await import("node:zlib");
  // A page of courses fits into one piece or two.
  const limit = { maxOutputLength: MAX_RESPONSE_SIZE, chunkSize: 2 ** 18 };
  try {
    if (/^(x-)?gzip$|^deflate$/i.test(encoding)) return zlib.unzipSync(bytes, limit);
    if (/^br$/i.test(encoding)) return zlib.brotliDecompressSync(bytes, limit);
  } catch (cause) {
    if (systemCode(cause) === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new TransportError("the answer is compressed, and damaged", { code: "ENCODING", cause });
  }
  throw new TransportError(`the answer is encoded as ${encoding}, which nobody asked for`, {
    code: "ENCODING",
    passing: false,
  });
}
