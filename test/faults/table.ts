/** The fault table: every fault with every command, and what comes of it. */
import { COMMANDS, type Command, type CommandName } from "./commands.ts";
import { type Fault, type Outcome, outcomeOf, type WayFault } from "./fault.ts";
import { BODY_FAULTS } from "./faults-body.ts";
import { CONNECTION_FAULTS } from "./faults-connection.ts";
import { STATUS_FAULTS } from "./faults-status.ts";
import { WAY_FAULTS } from "./faults-way.ts";

/** Every fault, in the order of the page. */
export const FAULTS: readonly (Fault | WayFault)[] = [
  ...CONNECTION_FAULTS,
  ...BODY_FAULTS,
  ...STATUS_FAULTS,
  ...WAY_FAULTS,
];

/** One fault with one command. */
export interface Cell {
  readonly fault: Fault | WayFault;
  readonly command: Command & { readonly name: CommandName };
  /** What came of the struck request, and of the command's exit code. */
  readonly outcome: Outcome;
  /** Whether the command did without an answer: it warned, or said nothing and offered nothing. */
  readonly without?: "warned" | "silent";
  /** Words that standard error must hold; none where nothing is said. */
  readonly says?: string;
}

/** What a command comes to under a fault. */
export function cellOf(fault: Fault | WayFault, command: Cell["command"]): Cell {
  const met = "way" in fault ? onTheWay(fault, command) : struck(fault, command);
  const says = met.code === 0 ? undefined : (met.says ?? fault.says ?? undefined);
  const told = says === undefined ? {} : { says };
  const excused = EXCUSED[command.part];
  if (excused === undefined || met.code === 0) return { fault, command, outcome: met, ...told };
  const outcome: Outcome = { ...met, code: 0 };
  if (excused === "silent") return { fault, command, outcome, without: excused };
  return { fault, command, outcome, without: excused, ...told };
}

/** What the commands do that can do without an answer. */
const EXCUSED: Readonly<Partial<Record<Command["part"], "warned" | "silent">>> = {
  optional: "warned",
  silent: "silent",
};

const SENT_ONCE: ReadonlySet<Command["part"]> = new Set([
  "ask",
  "raw read",
  "raw change",
  "silent",
]);

function onTheWay({ first }: WayFault, { part }: Command): Outcome {
  return SENT_ONCE.has(part) ? { ...first, sends: 1 } : first;
}

function struck(fault: Fault, command: Command): Outcome {
  const outcome = outcomeOf(fault, command.part);
  const isRefused = command.part === "create" && outcome.code === 1;
  return isRefused && command.looksUpRefusals ? { ...outcome, lookUps: 1 } : outcome;
}

/** Every cell, fault by fault. */
export const CELLS: readonly Cell[] = FAULTS.flatMap((fault) =>
  COMMANDS.map((command) => cellOf(fault, command)),
);
