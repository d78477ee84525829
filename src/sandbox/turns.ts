/** Keeps the order in which requests come over a connection: HTTP lets several be sent ahead. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** More than that, sent ahead over one connection, are an attack. */
const MOST_AHEAD = 1000;

interface Connection {
  /** The request that came last, and the end of those before it. */
  request: IncomingMessage;
  before: Promise<void>;
  /** The end of all. */
  last: Promise<void>;
  ahead: number;
}

/** The requests of all connections. */
export class Turns {
  readonly #connections = new WeakMap<Duplex, Connection>();

  /**
   * Does the work of a request when those that came before it are answered; else a change could be
   * overtaken by what was asked after it.
   *
   * @param work never rejects
   */
  take(request: IncomingMessage, work: () => Promise<void>): void {
    const { socket } = request;
    const known = this.#connections.get(socket);
    if (known !== undefined && known.ahead >= MOST_AHEAD) {
      socket.destroy();
      return;
    }
    const before = known?.last ?? Promise.resolve();
    const connection: Connection = known ?? { request, before, last: before, ahead: 0 };
    connection.request = request;
    connection.before = before;
    connection.ahead += 1;
    connection.last = before.then(work).then(() => {
      connection.ahead -= 1;
    });
    this.#connections.set(socket, connection);
  }

  /** Resolves when every request that has arrived whole over a connection is answered. */
  async answered(socket: Duplex): Promise<void> {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    const { request, before, last } = connection;
    await (request.complete ? last : before);
  }
}
