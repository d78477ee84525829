/** Writes plans to files, reads them back, and checks whether their steps still apply. */
import { resolve } from "node:path";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { isSameBaseUrl } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { escapeName, quoteShell } from "../base/text.ts";
import { readRecord } from "../core/history.ts";
import { formatPlan, makeHeader, type RecordHeader } from "../core/record.ts";
import { isWrite, type Step, type Write } from "../core/step.ts";
import { type Flag, newFile, nonEmpty } from "./arguments.ts";
import type { DeletionScope } from "./confirm.ts";
import type { Context } from "./context.ts";
import { describeRun } from "./record.ts";

export const OUT_FLAG = {
  name: "out",
  value: "<file>",
  parse: newFile,
  description: "save the plan to a file, for push --plan",
} as const satisfies Flag;

export const PLAN_FLAG = {
  name: "plan",
  value: "<file>",
  parse: nonEmpty,
} as const satisfies Omit<Flag, "description">;

/** Writes the steps that send something. @throws CatalogError of kind `output` */
export async function savePlan(
  file: string,
  { steps, scope }: { readonly steps: readonly Step[]; readonly scope: DeletionScope },
  context: Context,
): Promise<void> {
  const { clock, folder, messages } = context;
  const now = clock.now();
  const facts = { ...(await describeRun(context)), scope };
  const head = makeHeader("plan", new Date(now).toISOString(), now, facts);
  const text = await formatPlan(head, steps.filter(isWrite));
  await writeFileAtomically(resolve(folder, file), text, { name: file });
  await messages.info(
    `Wrote the plan to ${file}. To apply it: catalog courses push --plan ${quoteShell(file)}`,
  );
}

/** A plan that was read. */
export interface LoadedPlan {
  readonly header: RecordHeader;
  readonly steps: readonly Write[];
  readonly scope: DeletionScope;
}

/** Reads a plan that `savePlan` wrote. @throws CatalogError if it is missing, damaged or not a plan */
export function loadPlan(file: string, { folder }: Pick<Context, "folder">): LoadedPlan {
  const { header, steps } = readRecord(resolve(folder, file), file, "plan");
  const scope = header.scope ?? { courses: 0, providers: [] };
  return { header, scope, steps: steps.map(({ step }) => nameAfter(step)) };
}

/** An update with the name and the url that the course will have; the file has those that it had. */
function nameAfter(step: Write): Write {
  if (step.action !== "update") return step;
  const { name = step.name, url = step.url } = step.body;
  return { ...step, name, url };
}

/** Requires that a plan or record is for the base URL and the account in effect. @throws CatalogError */
export async function requireSameService(
  { baseUrl, account }: Pick<RecordHeader, "baseUrl" | "account">,
  what: string,
  { settings, providers }: Context,
): Promise<void> {
  const current = (await settings()).baseUrl?.value;
  if (current !== undefined && !isSameBaseUrl(baseUrl, current)) {
    throw usageError(
      `${what} is for ${escapeName(baseUrl)}, but the base URL is ${current}`,
      `Pass --base-url ${escapeName(baseUrl)}, or --profile with a profile for that service.`,
    );
  }
  const own = new Set((await providers()).map(({ id }) => id.toLowerCase()));
  if (account.length === 0 || account.some((id) => own.has(id))) return;
  throw usageError(
    `${what} is for another account than this API key`,
    "Use the API key of that account.",
  );
}
