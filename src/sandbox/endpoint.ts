/** Says what an endpoint gets and gives. */
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../base/clock.ts";
import type { Answer } from "./answers.ts";
import type { Store, User } from "./store.ts";

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  /** The request target: path and query, not decoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined when it was larger than the sandbox takes. */
  readonly body: Uint8Array | undefined;
}

/** One request to an endpoint, by a user who is known. */
export interface Call {
  readonly user: User;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array | undefined;
}

/** What the endpoints work on. */
export interface Service {
  readonly store: Store;
  readonly clock: Pick<Clock, "now" | "random" | "uuid">;
  /** The vendor word of the single-object media type (api.md, "DELETE"). */
  readonly vendor: string;
}

/** Answers one kind of request. It looks at the store, and changes it, before it waits for anything. */
export type Endpoint = (call: Call, service: Service) => Answer | Promise<Answer>;
