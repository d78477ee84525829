/** A server in front of a sandbox that injects faults. */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { memoize } from "../../src/base/values.ts";
import { respond, type Service } from "../../src/sandbox/endpoints.ts";
import type { HttpRequest, HttpResponse } from "../../src/service/errors.ts";
import type { ForwardedResponse } from "../unreliable-server.ts";

/** Where a response is written. */
export interface Outgoing {
  writeHead(status: number, headers?: OutgoingHttpHeaders): unknown;
  end(body?: string | Uint8Array): unknown;
}

/** A request that a fault affects, and what an injector can do with it. */
export interface InterceptedRequest {
  readonly socket: Socket;
  readonly outgoing: Outgoing;
  /** Milliseconds since 1970 on the clock of the run. */
  readonly now: number;
  readonly method: string;
  /** The path and query. */
  readonly url: string;
  /** Passes the request to the sandbox, or another body. @returns its response, which is not sent yet */
  pass(body?: string): Promise<ForwardedResponse>;
  /** The body of the request. */
  body(): Promise<string>;
  /** Makes the request time out in the client after it has read what was sent. */
  timeOut(): Promise<void>;
  /** The same path on another server, which must never receive a request. */
  elsewhere(): Promise<string>;
  /** Closes every connection and stops listening, forever or until the client's nth attempt from now. */
  vanish(backAt?: number): void;
}

/** Injects a fault into a request. */
export type FaultInjector = (intercepted: InterceptedRequest) => Promise<void>;

/** Selects the injector for a request by method, path and query; undefined forwards it. */
export type InjectorSelector = (line: string) => FaultInjector | undefined;

/** The header that identifies an attempt among parallel requests. */
const TRY = "x-try";

/** One attempt of the client. */
interface Try {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Ports for this test worker, below the range that the system assigns. */
const FIRST = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 8) * 1500;
let used = 0;

/** Listens on a port that no other process gets while the server is temporarily stopped. */
async function listeningForLong(server: Server): Promise<number> {
  for (let tries = 0; ; tries++) {
    try {
      return await listen(server, FIRST + (used++ % 1500));
    } catch (error) {
      if (tries === 100) throw error;
    }
  }
}

/** Listens on this machine; port 0 picks a free one. @returns the port */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The server of one run. */
export class FaultServer {
  readonly #service: Service;
  #select: InjectorSelector = () => undefined;
  readonly #now: () => number;
  readonly #server = createServer((incoming, outgoing) => {
    const work = this.#take(incoming, outgoing).catch(() => {
      incoming.socket.destroy();
    });
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work));
  });
  readonly #working = new Set<Promise<void>>();
  readonly #times: AbortController[] = [];
  readonly #stray: Server = createServer((_, outgoing) => {
    this.#strayed++;
    outgoing.end("[]");
  });
  #strayed = 0;
  #port = 0;
  /** How many more attempts fail before the server listens again. */
  #absentFor: number | undefined;

  /** @param service answers the requests without faults @param now the clock of the runs */
  constructor(service: Service, now: () => number) {
    this.#service = service;
    this.#now = now;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** The number of requests to the other server. */
  get strayed(): number {
    return this.#strayed;
  }

  /** Starts listening; after a stop again on the same port. */
  async open(): Promise<void> {
    this.#port =
      this.#port === 0
        ? await listeningForLong(this.#server)
        : await listen(this.#server, this.#port);
  }

  /**
   * Called by the client before each attempt.
   *
   * @returns the header that identifies the attempt to the server, and a signal that is aborted when the
   * server makes it time out
   */
  async tried(): Promise<Try> {
    if (this.#absentFor === 0) {
      this.#absentFor = undefined;
      await this.open();
    } else if (this.#absentFor !== undefined) {
      this.#absentFor--;
    }
    const time = new AbortController();
    this.#times.push(time);
    return { headers: { [TRY]: String(this.#times.length - 1) }, signal: time.signal };
  }

  /** Listens, if it does not, for a run with these faults. */
  async begin(select: InjectorSelector): Promise<void> {
    this.#select = select;
    this.#absentFor = undefined;
    if (!this.#server.listening) await this.open();
  }

  /** Finishes the requests in progress. */
  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await Promise.all(this.#working);
  }

  /** Stops the server after requests in progress. */
  async close(): Promise<void> {
    for (const server of [this.#server, this.#stray]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await Promise.all(this.#working);
  }

  /** Answers a request without a connection; for faults that only replace the response. */
  async call(request: HttpRequest): Promise<HttpResponse> {
    await setImmediate();
    const { pathname, search } = new URL(request.url);
    const { method, headers, body = "" } = request;
    let response: HttpResponse = { status: 0, headers: {}, body: Buffer.alloc(0) };
    const outgoing: Outgoing = {
      writeHead: (status, headers = {}) => {
        const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        response = { ...response, status, headers: Object.fromEntries(entries) };
      },
      end: (body = "") => {
        response = {
          ...response,
          reason: STATUS_CODES[response.status] ?? "",
          body: Buffer.from(body),
        };
      },
    };
    const incoming = { method, url: pathname + search, headers };
    await this.#respond(incoming, async () => Buffer.from(body), outgoing);
    return response;
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await this.#respond(incoming, () => readBody(incoming), outgoing);
  }

  async #respond(
    {
      method = "",
      url = "",
      headers,
      socket,
    }: Pick<IncomingMessage, "method" | "url" | "headers"> & { readonly socket?: Socket },
    read: () => Promise<Buffer>,
    outgoing: Outgoing,
  ): Promise<void> {
    const body = memoize(read);
    const pass = async (other?: string): Promise<ForwardedResponse> => {
      const bytes = other === undefined ? await body() : Buffer.from(other);
      const result = respond({ method, target: url, headers, body: bytes }, this.#service);
      const text = Buffer.from(result.body ?? "");
      const type = text.length === 0 ? {} : { "content-type": "application/json; charset=utf-8" };
      const length = result.body === undefined ? {} : { "content-length": String(text.length) };
      return {
        status: result.status,
        headers: { ...type, ...length },
        body: text,
      };
    };
    const injector = this.#select(`${method} ${url}`);
    if (injector === undefined) {
      const passed = await pass();
      outgoing.writeHead(passed.status, passed.headers);
      outgoing.end(passed.body);
      return;
    }
    await injector({
      get socket() {
        if (socket === undefined) throw new Error("this fault needs a connection");
        return socket;
      },
      outgoing,
      now: this.#now(),
      ...{ method, url, pass },
      body: async () => (await body()).toString(),
      timeOut: async () => {
        // The client reads its buffer in the next turns of the event loop.
        for (let turn = 0; turn < 4; turn++) await setImmediate();
        this.#times[Number(headers[TRY])]?.abort();
      },
      elsewhere: async () => {
        const port = this.#stray.listening
          ? (this.#stray.address() as AddressInfo).port
          : await listen(this.#stray);
        return `http://127.0.0.1:${port}${url}`;
      },
      vanish: (backAt = Number.POSITIVE_INFINITY) => {
        this.#absentFor = backAt - 1;
        this.#server.close();
        this.#server.closeAllConnections();
      },
    });
  }
}
