/** The flags that decide what a push plans; `diff` accepts them, too. */
import { usageError } from "../../../base/errors.ts";
import type { Flag } from "../../../command-support/arguments.ts";
import type { Context } from "../../../command-support/context.ts";

/** The most courses that a push may delete: a number, or a percentage of its providers' courses. */
export type DeletionLimit = { readonly courses: number } | { readonly percent: number };

export interface PlanChoices {
  readonly prune: boolean;
  readonly complete: boolean;
  readonly allowRecreate: boolean;
  /** Undefined for the default. */
  readonly maxDeletes: DeletionLimit | undefined;
}

export const PLAN_FLAGS = {
  complete: {
    name: "complete",
    description: "clear fields that a file leaves out",
  },
  allowRecreate: {
    name: "allow-recreate",
    description: "with --prune, also delete courses that a file seems to have moved",
  },
  maxDeletes: {
    name: "max-deletes",
    value: "<n or p%>",
    parse: parseLimit,
    description: "with --prune, refuse to delete more courses (default 5 or 10%, the larger)",
  },
} as const satisfies Readonly<Record<string, Flag>>;

/** Whether files are complete descriptions: by the flag, the environment or a config file. */
export async function isComplete(
  { complete }: Pick<PlanChoices, "complete">,
  { settings }: Pick<Context, "settings">,
): Promise<boolean> {
  return complete || (await settings()).complete.value;
}

function parseLimit(text: string): DeletionLimit {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (digits !== undefined && percent === "") return { courses: amount };
  if (digits !== undefined && amount <= 100) return { percent: amount };
  throw usageError(
    `--max-deletes must be a number of courses or a percentage: ${text}`,
    "For example, --max-deletes 20 or --max-deletes 50%.",
  );
}
