/** Remembers the latest requests, for the sandbox's page. */
import { isObject } from "../base/values.ts";
import type { ServiceResponse } from "./responses.ts";

export interface LoggedRequest {
  /** The time of arrival, in milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** The path and query, not decoded. */
  readonly target: string;
  /** The status of the response; 0 for a deliberately dropped connection. */
  readonly status: number;
  readonly milliseconds: number;
  /** The hint, message or details of an error response; empty for others. */
  readonly hint: string;
}

const MOST = 50;

/** The latest requests, the newest first. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];

  /** Adds a request. @param response undefined if the connection was dropped */
  add(
    request: Omit<LoggedRequest, "status" | "hint">,
    response: Pick<ServiceResponse, "status" | "body"> | undefined,
  ): void {
    const { status = 0, body = "" } = response ?? {};
    this.#requests.unshift({ ...request, status, hint: status >= 400 ? hintIn(body) : "" });
    if (this.#requests.length > MOST) this.#requests.pop();
  }

  latest(): readonly LoggedRequest[] {
    return this.#requests;
  }
}

function hintIn(body: string): string {
  const value: unknown = body === "" ? undefined : JSON.parse(body);
  if (!isObject(value)) return "";
  return String(value.hint ?? value.message ?? value.details ?? "");
}
