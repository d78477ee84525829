/** The fault table: the expected result of every command with every fault. */
import { COMMANDS, type Command, type CommandName } from "./commands.ts";
import { type Fault, type Outcome, outcomeOf, type RouteFault } from "./fault.ts";
import { BEHAVIOR_FAULTS } from "./faults-behavior.ts";
import { BODY_FAULTS } from "./faults-body.ts";
import { CONNECTION_FAULTS } from "./faults-connection.ts";
import { ROUTE_FAULTS } from "./faults-route.ts";
import { STATUS_FAULTS } from "./faults-status.ts";

/** Every fault, in the order of the page. */
export const FAULTS: readonly (Fault | RouteFault)[] = [
  ...CONNECTION_FAULTS,
  ...BODY_FAULTS,
  ...STATUS_FAULTS,
  ...BEHAVIOR_FAULTS,
  ...ROUTE_FAULTS,
];

/** One fault with one command. */
export interface Cell {
  readonly fault: Fault | RouteFault;
  readonly command: Command & { readonly name: CommandName };
  /** The expected result of the affected request and of the command. */
  readonly outcome: Outcome;
  /** How the command continues without a response: with a warning. */
  readonly without?: "warned";
  /** Text that standard error must contain. */
  readonly says?: string;
}

/** The expected result of a command with a fault. */
export function expectedCell(fault: Fault | RouteFault, command: Cell["command"]): Cell {
  const met = "route" in fault ? routeOutcome(fault, command) : requestOutcome(fault, command);
  const says = met.code === 0 ? undefined : (met.says ?? fault.says ?? undefined);
  const message = says === undefined ? {} : { says };
  const excused = EXCUSED[command.part];
  if (excused === undefined || met.code === 0) return { fault, command, outcome: met, ...message };
  const outcome: Outcome = { ...met, code: 0 };
  return { fault, command, outcome, without: excused, ...message };
}

/** The commands that work without a response. */
const EXCUSED: Readonly<Partial<Record<Command["part"], "warned">>> = {
  optional: "warned",
};

const SENT_ONCE: ReadonlySet<Command["part"]> = new Set(["ask", "raw read", "raw change"]);

function routeOutcome({ first }: RouteFault, { part }: Command): Outcome {
  return SENT_ONCE.has(part) ? { ...first, attempts: 1 } : first;
}

function requestOutcome(fault: Fault, command: Command): Outcome {
  const outcome = outcomeOf(fault, command.part);
  const isRefused = command.part === "create" && outcome.code === 1;
  return isRefused ? { ...outcome, lookUps: 1 } : outcome;
}

/** Every cell, fault by fault. */
export const CELLS: readonly Cell[] = FAULTS.flatMap((fault) =>
  COMMANDS.filter((command) => isAffected(fault, command)).map((command) =>
    expectedCell(fault, command),
  ),
);

/** Whether the fault is in the table for the command. */
export function isAffected(
  fault: Fault | RouteFault,
  { name }: { readonly name: CommandName },
): boolean {
  return !("only" in fault) || fault.only === undefined || fault.only.includes(name);
}
