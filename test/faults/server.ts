/** A server before a sandbox that spoils what a test says: bytes, connections, itself. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { forward, type Passed } from "../unreliable.ts";

/** A request that is struck, and what can be done with it. */
export interface Struck {
  readonly socket: Socket;
  readonly outgoing: ServerResponse;
  /** Milliseconds since 1970 on the clock of the run. */
  readonly now: number;
  /** Lets the sandbox do what is asked. @returns what it answered, and nobody heard yet */
  pass(): Promise<Passed>;
  /** Lets the time that the client gives this request run out, once it has read what was sent. */
  timeOut(): Promise<void>;
  /** The same address at another server, which must never be asked. */
  elsewhere(): Promise<string>;
  /** Cuts every connection, and listens no more; for good, or until the client's nth try from now. */
  vanish(backAt?: number): void;
}

/** What befalls a request that is struck. */
export type Blow = (struck: Struck) => Promise<void>;

/** Decides which requests are struck, by method, path and query. */
export type Aim = (line: string) => Blow | undefined;

/** Which of several requests under way, perhaps alike, this one is. */
const TRY = "x-try";

/** One try of the client's. */
interface Try {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Ports of this worker's own, below those that are given to whoever asks for a free one. */
const FIRST = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 8) * 1500;
let used = 0;

/** So that nobody takes the port of a server that is away for a while. */
async function listeningForLong(server: Server): Promise<number> {
  for (let tries = 0; ; tries++) {
    try {
      return await listening(server, FIRST + (used++ % 1500));
    } catch (error) {
      if (tries === 100) throw error;
    }
  }
}

/** Listens on this machine, on a free port where it is 0. @returns the port */
export async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** The server of one run. */
export class FaultServer {
  readonly #target: string;
  readonly #aim: Aim;
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
  /** How many more tries find nobody, before the server is back. */
  #absentFor: number | undefined;

  /** @param target where the sandbox serves @param now the clock of the run */
  constructor(target: string, aim: Aim, now: () => number) {
    this.#target = target;
    this.#aim = aim;
    this.#now = now;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** How many requests came to the other server. */
  get strayed(): number {
    return this.#strayed;
  }

  /** Begins to listen, and later on again, on the same port. */
  async open(): Promise<void> {
    this.#port =
      this.#port === 0
        ? await listeningForLong(this.#server)
        : await listening(this.#server, this.#port);
  }

  /**
   * Told by the client of each try before it is made.
   *
   * @returns the header that tells the try to the server, and a signal that is aborted when the
   * server lets its time run out
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

  /** Ends it, when all that it had begun is done. */
  async close(): Promise<void> {
    for (const server of [this.#server, this.#stray]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await Promise.all(this.#working);
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url = "", socket, headers } = incoming;
    const blow = this.#aim(`${method} ${url}`);
    if (blow === undefined) {
      const passed = await forward(this.#target, incoming);
      outgoing.writeHead(passed.status, passed.headers);
      outgoing.end(passed.body);
      return;
    }
    await blow({
      socket,
      outgoing,
      now: this.#now(),
      pass: () => forward(this.#target, incoming),
      timeOut: async () => {
        // What was written lies in the client's buffer, which it reads in the next turns.
        for (let turn = 0; turn < 4; turn++) await setImmediate();
        this.#times[Number(headers[TRY])]?.abort();
      },
      elsewhere: async () => {
        const port = this.#stray.listening
          ? (this.#stray.address() as AddressInfo).port
          : await listening(this.#stray);
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
