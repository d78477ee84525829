/** The commands of the fault table: the requests of each, and the one that faults affect. */

/**
 * The purpose of the affected request.
 *
 * - `read`, `create`, `change`, `delete`: a request that is retried as far as its method allows
 * - `ask`: a read that only tests the connection, and is sent once
 * - `raw read`, `raw change`: a request of `catalog api`, sent once, its response printed unchanged
 * - `optional`: a read without which the command continues with a warning
 */
export type Part =
  | "read"
  | "create"
  | "change"
  | "delete"
  | "ask"
  | "raw read"
  | "raw change"
  | "optional";

/** A command of the table. */
export interface Command {
  /** Its name in the table. */
  readonly name: string;
  readonly part: Part;
  /** The requests that faults affect, as `METHOD path?query`. */
  readonly target: RegExp;
  /** The kinds of requests of a run without a fault, in order. */
  readonly usualRequests: readonly string[];
  /** Whether all writes come before the affected request. */
  readonly hasWritten?: true;
  /** What a failed run prints to standard output; nothing by default. */
  readonly printsOnFailure?: "rows before" | "settings" | "findings";
}

const PROVIDERS = /^GET \S+\/providers$/;
const COURSES = /^GET \S+\/courses\?/;
const ONE = /^GET \S+\/courses\?id=/;
const POST = /^POST /;
const PATCH = /^PATCH /;
const DELETE = /^DELETE /;

/** Every command of the table: for each way to read, change or ask, the commands that meet faults differently. */
export const COMMANDS = [
  { name: "providers ls", part: "read", target: PROVIDERS, usualRequests: ["providers"] },
  {
    name: "courses ls --all",
    part: "read",
    // The second page of two.
    target: /^GET \S+offset=100/,
    usualRequests: ["courses", "courses"],
    printsOnFailure: "rows before",
  },
  { name: "courses get", part: "read", target: ONE, usualRequests: ["course"] },
  {
    name: "courses pull",
    part: "read",
    target: COURSES,
    usualRequests: ["providers", "courses"],
  },
  {
    name: "courses check --online",
    part: "read",
    target: PROVIDERS,
    usualRequests: ["providers"],
    printsOnFailure: "findings",
  },
  {
    name: "courses rm, while it reads",
    part: "read",
    target: ONE,
    usualRequests: ["course", "providers", "DELETE"],
  },
  {
    name: "courses push, while it reads",
    part: "read",
    target: COURSES,
    usualRequests: ["providers", "courses", "POST"],
  },
  {
    name: "courses create",
    part: "create",
    target: POST,
    usualRequests: ["providers", "courses", "POST"],
  },
  {
    name: "courses push, of a new course",
    part: "create",
    target: POST,
    usualRequests: ["providers", "courses", "POST"],
  },
  {
    name: "courses update",
    part: "change",
    target: PATCH,
    usualRequests: ["course", "providers", "PATCH"],
  },
  {
    name: "courses publish",
    part: "change",
    target: PATCH,
    usualRequests: ["course", "providers", "PATCH"],
  },
  {
    name: "courses rm",
    part: "delete",
    target: DELETE,
    usualRequests: ["course", "providers", "DELETE"],
  },
  {
    name: "courses push --prune",
    part: "delete",
    target: DELETE,
    usualRequests: ["providers", "courses", "DELETE"],
  },
  { name: "login", part: "ask", target: PROVIDERS, usualRequests: ["providers"] },
  {
    name: "status",
    part: "ask",
    target: PROVIDERS,
    usualRequests: ["providers"],
    printsOnFailure: "settings",
  },
  { name: "api GET", part: "raw read", target: COURSES, usualRequests: ["courses"] },
  { name: "api PATCH", part: "raw change", target: PATCH, usualRequests: ["PATCH"] },
  { name: "courses init", part: "optional", target: PROVIDERS, usualRequests: ["providers"] },
] as const satisfies readonly Command[];

/** The name of a command of the table. */
export type CommandName = (typeof COMMANDS)[number]["name"];
