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

async function listening(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
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
  readonly #times = new Map<string, AbortController>();
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

  /** Begins to listen: on a free port, later on the same one. */
  async open(): Promise<void> {
    this.#port = await listening(this.#server, this.#port);
  }

  /**
   * Told by the client of each try before it is made.
   *
   * @returns a signal that is aborted when the server lets the time of that request run out
   */
  async tried(line: string): Promise<AbortSignal> {
    if (this.#absentFor === 0) {
      this.#absentFor = undefined;
      await this.open();
    } else if (this.#absentFor !== undefined) {
      this.#absentFor--;
    }
    const time = new AbortController();
    this.#times.set(line, time);
    return time.signal;
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
    const { method = "", url = "", socket } = incoming;
    const line = `${method} ${url}`;
    const blow = this.#aim(line);
    if (blow === undefined) {
      const { status, headers, body } = await forward(this.#target, incoming);
      outgoing.writeHead(status, headers);
      outgoing.end(body);
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
        this.#times.get(line)?.abort();
      },
      elsewhere: async () => {
        const port = this.#stray.listening
          ? (this.#stray.address() as AddressInfo).port
          : await listening(this.#stray, 0);
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
