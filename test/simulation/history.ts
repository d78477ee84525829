/** What can happen in a history, and what is known of each of its runs. */
import type { StopSignal } from "../../src/cli/context.ts";
import type { Course } from "./model.ts";
import type { World } from "./world.ts";

/** What a colleague does in a web form. */
export type Change =
  | { readonly op: "change"; readonly id: string; readonly fields: Course }
  | { readonly op: "add"; readonly course: Course }
  | { readonly op: "delete"; readonly id: string };

/** What happens to a request: `done` faults happen after the service has carried it out. */
export const FAULTS = `refused,reset,lost,cut,late,slow,html,html done,garbage,429,429 wait,500,
  500 done,500 hint,502,502 done,503,503 done,503 wait,504 done,401`.split(/,\s*/);

/** What happens before a request of a run, such as `POST 2`, or while it asks a question. */
export interface Event {
  readonly at: string;
  readonly colleague?: Change;
  readonly fault?: string;
  /** How many requests of this method have the fault. */
  readonly times?: number;
  readonly signal?: StopSignal;
  readonly kill?: boolean;
  /** Whether no record can grow from now on. */
  readonly full?: boolean;
}

export type Person = "ada" | "ben" | "ci";

/** What the simulator does around a run: see what it would do, repeat it, or undo it. */
export type Probe = "shown" | "again" | "undone";

export interface RunStep {
  readonly do: "run";
  readonly who: Person;
  readonly words: readonly string[];
  /** What the person types at a question on a terminal. */
  readonly answer?: string;
  /** What standard input is, without a terminal. */
  readonly input?: string;
  readonly events?: readonly Event[];
  readonly probes?: readonly Probe[];
}

/** An edit of a workbook: a cell, a row that is removed or added, or a column that is removed. */
export interface CellStep {
  readonly do: "cell";
  readonly who: Person;
  readonly path: string;
  /** The course of the row; undefined for the complete column. */
  readonly id?: string;
  /** Undefined for the complete row. */
  readonly column?: string;
  /** Undefined for a row or column that is removed. The cells of a row that is added are JSON. */
  readonly value?: string;
}

export type Step =
  | RunStep
  | { readonly do: "write"; readonly who: Person; readonly path: string; readonly text: string }
  | { readonly do: "remove"; readonly who: Person; readonly path: string }
  | CellStep
  | { readonly do: "drop"; readonly who: Person; readonly path: string; readonly line: number }
  | { readonly do: "snapshot"; readonly who: Person }
  /** The clock of the machine is set back. */
  | { readonly do: "clock"; readonly minutes: number }
  | { readonly do: "colleague"; readonly change: Change };

export interface History {
  readonly world: World;
  readonly steps: readonly Step[];
}

/** One request of a run. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  /** The id of the course of the query or of the body, in lowercase. */
  readonly id: string | undefined;
  readonly body: Course | undefined;
  /** Milliseconds of the virtual clock. */
  readonly at: number;
  fault: string | undefined;
  /** What the service answered; undefined if a fault kept the request from it. */
  status?: number;
  /** The courses of a complete answer, as they were written. */
  rows?: readonly Course[];
}

/** One change that took effect, and the courses that had its url before. */
export interface Write {
  readonly method: string;
  readonly id: string;
  readonly body: Course | undefined;
  readonly before: Course | undefined;
  readonly after: Course | undefined;
  readonly sameUrl: readonly string[];
  /** The number of requests before it. */
  readonly index: number;
}

/** A change of a colleague during a run. `index` is the number of requests before it. */
export type Interference = Pick<Write, "id" | "before" | "after" | "index">;

/** The courses of the catalog by id. */
export type Courses = ReadonlyMap<string, Course>;

/** The record of a run as it was read: its steps with their statuses. */
export interface RecordedStep {
  readonly action: string;
  readonly id: string;
  readonly before?: Course;
  readonly body?: Course;
  readonly status: string | undefined;
}

/** Everything that a run did. */
export interface Ran {
  readonly who: Person;
  /** The words as they were typed. */
  readonly words: readonly string[];
  readonly events: readonly Event[];
  readonly code: number | "killed" | "hangs";
  readonly stdout: string;
  readonly stderr: string;
  readonly exchanges: readonly Exchange[];
  readonly writes: readonly Write[];
  readonly interferences: readonly Interference[];
  readonly before: Courses;
  readonly after: Courses;
  readonly filesBefore: ReadonlyMap<string, string>;
  readonly filesAfter: ReadonlyMap<string, string>;
  readonly record:
    | { readonly name: string; readonly header: Course; readonly steps: readonly RecordedStep[] }
    | undefined;
  /** Whether a stop signal came before the run ended. */
  readonly signal: StopSignal | undefined;
}
