/** The commands of the fault table: what each asks the service for, and where it is struck. */

/**
 * What the struck request is for.
 *
 * - `read`, `create`, `change`, `delete`: a request that is repeated as far as its method allows
 * - `ask`: a read that only tests the connection, and is sent once
 * - `raw read`, `raw change`: a request of `catalog api`, sent once, its answer shown as it is
 * - `optional`: a read without which the command does its work, with a warning
 * - `silent`: a read of the shell's completion, sent once; without its answer nothing is offered
 */
export type Part =
  | "read"
  | "create"
  | "change"
  | "delete"
  | "ask"
  | "raw read"
  | "raw change"
  | "optional"
  | "silent";

/** A command of the table. */
export interface Command {
  /** As the table calls it. */
  readonly name: string;
  readonly part: Part;
  /** The requests that are struck, as `METHOD path?query`: those in which its work is done. */
  readonly strikes: RegExp;
  /** The requests of a run in which nothing goes wrong, in order, without the fields of queries. */
  readonly usual: readonly string[];
  /** Whether it has written what it writes before it is struck. */
  readonly hasWritten?: true;
  /** Whether a refused creation is looked up: its id is not one that was chosen for this run alone. */
  readonly looksUpRefusals?: true;
  /** What stands on standard output when it failed; nothing if left out. */
  readonly tells?: "rows before" | "settings" | "findings";
}

const PROVIDERS = /^GET \S+\/providers$/;
const COURSES = /^GET \S+\/courses\?/;
const ONE = /^GET \S+\/courses\?id=/;
const POST = /^POST /;
const PATCH = /^PATCH /;
const DELETE = /^DELETE /;

/** Every command of the table. */
export const COMMANDS = [
  { name: "providers ls", part: "read", strikes: PROVIDERS, usual: ["providers"] },
  { name: "courses ls", part: "read", strikes: COURSES, usual: ["courses"] },
  {
    name: "courses ls --all",
    part: "read",
    // The second page of two.
    strikes: /^GET \S+offset=100/,
    usual: ["courses", "courses"],
    tells: "rows before",
  },
  { name: "courses get", part: "read", strikes: ONE, usual: ["course"] },
  { name: "courses diff", part: "read", strikes: COURSES, usual: ["providers", "courses"] },
  { name: "courses pull", part: "read", strikes: COURSES, usual: ["courses"] },
  {
    name: "courses check --online",
    part: "read",
    strikes: PROVIDERS,
    usual: ["providers"],
    tells: "findings",
  },
  {
    name: "courses create, while it reads",
    part: "read",
    strikes: PROVIDERS,
    usual: ["providers", "POST"],
  },
  {
    name: "courses update, while it reads",
    part: "read",
    strikes: PROVIDERS,
    usual: ["providers", "PATCH"],
  },
  {
    name: "courses rm, while it reads",
    part: "read",
    strikes: ONE,
    usual: ["course", "DELETE"],
  },
  {
    name: "courses push, while it reads",
    part: "read",
    strikes: COURSES,
    usual: ["providers", "courses", "POST"],
  },
  {
    name: "courses push --verify, while it verifies",
    part: "read",
    strikes: ONE,
    usual: ["providers", "courses", "POST", "course"],
    hasWritten: true,
  },
  {
    name: "courses create",
    part: "create",
    strikes: POST,
    usual: ["providers", "POST"],
  },
  {
    name: "courses push, of a new course",
    part: "create",
    strikes: POST,
    usual: ["providers", "courses", "POST"],
    looksUpRefusals: true,
  },
  {
    name: "courses update",
    part: "change",
    strikes: PATCH,
    usual: ["PATCH"],
  },
  { name: "courses publish", part: "change", strikes: PATCH, usual: ["PATCH"] },
  { name: "courses unpublish", part: "change", strikes: PATCH, usual: ["PATCH"] },
  {
    name: "courses push, of a changed course",
    part: "change",
    strikes: PATCH,
    usual: ["providers", "courses", "PATCH"],
  },
  {
    name: "courses rm",
    part: "delete",
    strikes: DELETE,
    usual: ["course", "DELETE"],
  },
  {
    name: "courses push --prune",
    part: "delete",
    strikes: DELETE,
    usual: ["providers", "courses", "DELETE"],
  },
  { name: "login", part: "ask", strikes: PROVIDERS, usual: ["providers"] },
  { name: "status", part: "ask", strikes: PROVIDERS, usual: ["providers"], tells: "settings" },
  { name: "api GET", part: "raw read", strikes: COURSES, usual: ["courses"] },
  { name: "api PATCH", part: "raw change", strikes: PATCH, usual: ["PATCH"] },
  { name: "courses init", part: "optional", strikes: PROVIDERS, usual: ["providers"] },
  { name: "completion, of ids", part: "silent", strikes: COURSES, usual: ["courses"] },
] as const satisfies readonly Command[];

/** The name of a command of the table. */
export type CommandName = (typeof COMMANDS)[number]["name"];
