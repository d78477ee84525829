/** Promises about what is shown, recorded and undone. */
import { isDeepStrictEqual } from "node:util";
import type { Ran } from "../history.ts";
import { type Course, differences, FIELDS } from "../model.ts";
import {
  argumentsOf,
  type Check,
  flagValue,
  has,
  isCalm,
  isOf,
  isTouched,
  parseLines,
  rowsOf,
} from "./run.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  POST: "create",
  PATCH: "update",
  DELETE: "delete",
};

export const completeRecord: Check = (ran) => {
  for (const { method, id, body = {}, before = {} } of ran.writes) {
    const action = ACTIONS[method];
    const step = ran.record?.steps.find((each) => each.id === id && each.action === action);
    if (step === undefined) return `${method} of ${id} is in no record`;
    // A repetition finds what an earlier attempt has made.
    const isRepeated = ran.writes.filter((each) => each.id === id).length > 1;
    if (method === "POST" || isRepeated || isTouched(ran, [id])) continue;
    const fields = method === "DELETE" ? FIELDS : Object.keys(body);
    const wrong = differences(step.before ?? {}, before, fields);
    if (wrong.length > 0)
      return `the record of ${method} ${id} has other values of ${wrong.join(", ")} than the course had`;
  }
  return undefined;
};

export const deletesWhatWasShown: Check = (ran) => {
  for (const { method, id, before } of ran.writes) {
    if (method !== "DELETE" || before === undefined) continue;
    const sent = ran.exchanges.findIndex((each) => each.method === "DELETE" && each.id === id);
    const isRead = ({ rows = [] }: Ran["exchanges"][number]): boolean =>
      rows.some((row) => String(row.id).toLowerCase() === id);
    for (const change of ran.interferences) {
      if (change.id !== id || change.index > sent || change.before === undefined) continue;
      const changed = differences(change.before, before);
      const readings = ran.exchanges.slice(0, change.index).filter(isRead).length;
      if (changed.length > 0 && readings === 1)
        return `${id} was deleted although ${changed.join(", ")} changed after it was shown`;
    }
  }
  return undefined;
};

export const deletesAsPlanned: Check = (ran) => {
  const plan = ran.filesBefore.get(flagValue(ran, "--plan") ?? "") ?? "";
  for (const { method, id, before = {} } of ran.writes) {
    const step = parseLines(plan)?.find((each) => each.action === "delete" && each.id === id);
    if (method !== "DELETE" || step === undefined) continue;
    const wrong = differences(step.before as Course, before);
    if (wrong.length > 0)
      return `${id} is deleted, although the plan has another ${wrong.join(", ")}`;
  }
  return undefined;
};

export const undoesNewest: Check = (ran, { records }) => {
  const isUnnamed = isOf(ran, "undo") && argumentsOf(ran).length === 0;
  if (!isUnnamed || ran.writes.length === 0) return undefined;
  const undone = ran.record?.header.undoes;
  const [newest] =
    [...records].findLast(
      ([, { who, hasEffect, isUndo }]) => who === ran.who && hasEffect && !isUndo,
    ) ?? [];
  return newest === undone ? undefined : `undo reverses ${undone}, not ${newest}`;
};

export const keepsLaterChanges: Check = (ran, { world, records }) => {
  const isSure = ran.interferences.length === 0 && !world.freedoms.trims;
  if (!isOf(ran, "undo") || has(ran, "--force") || !isSure) return undefined;
  const undone = records.get(String(ran.record?.header.undoes));
  for (const { method, id, body = {}, before = {} } of ran.writes) {
    const sent = undone?.steps.find((each) => each.id === id)?.body;
    const isRepeated = ran.writes.filter((each) => each.id === id).length > 1;
    if (sent === undefined || method === "POST" || isRepeated) continue;
    const fields = Object.keys(method === "PATCH" ? body : sent);
    const isSent = (field: string): boolean => field !== "id" && field !== "slug";
    const changed = differences(sent, before, fields.filter(isSent));
    if (changed.length > 0)
      return `undo takes back ${changed.join(", ")} of ${id}, which changed after the run`;
  }
  return undefined;
};

/** Compares what a dry run or a plan showed with what the run sent. */
export function compareShown(shown: Ran, ran: Ran): string | undefined {
  if (shown.writes.length > 0) return "what only shows has changed the catalog";
  // What a colleague changed in between was not shown.
  if (ran.interferences.length > 0) return undefined;
  const sent = ran.exchanges.filter(({ method }) => method !== "GET");
  // A run that leaves out what is refused ends with 1, as its dry run does.
  const isShown = shown.code === 0 || (shown.code === 1 && ran.code === 1);
  if (!isShown && sent.length > 0)
    return `the dry run ends with ${shown.code}, but the run sends ${sent[0]?.method} ${sent[0]?.id}`;
  if (!isShown)
    return isCalm(ran) && ran.code !== shown.code && ran.code !== 2
      ? `the dry run ends with ${shown.code}, the run with ${ran.code}`
      : undefined;
  const rows = rowsOf(shown);
  const plan = shown.filesAfter.get(flagValue(shown, "--out") ?? "");
  const planned = plan === undefined ? undefined : parseLines(plan)?.slice(1);
  const steps: readonly Record<string, unknown>[] | undefined =
    planned ?? rows?.filter(({ status }) => status === "planned").map((row) => ({ ...row }));
  if (steps === undefined) return undefined;
  const isStep = (step: Record<string, unknown>, method: string, id?: string): boolean =>
    step.action === ACTIONS[method] && (step.id === id || step.id === null);
  for (const { method, id, body } of sent) {
    const step = steps.find((each) => isStep(each, method, id));
    if (step === undefined) return `${method} of ${id} was not shown`;
    if (planned !== undefined && method !== "DELETE" && !isDeepStrictEqual(step.body, body))
      return `the plan shows ${JSON.stringify(step.body)}, but ${method} sends ${JSON.stringify(body)}`;
  }
  for (const { id, action, status, fields = [] } of planned === undefined ? [] : (rows ?? [])) {
    const step = planned?.find((each) => each.action === action && each.id === id);
    if (action !== "update" || status !== "planned" || step === undefined) continue;
    const own = fields.filter(({ changedIn }) => changedIn !== "catalog");
    const named = own.map(({ path }) => String(path[0]));
    const other = Object.keys(step.body as Course).find((field) => !named.includes(field));
    if (other !== undefined)
      return `${other} of ${id} is in the plan, but not in the differences that are shown`;
  }
  if (!isCalm(ran) || ran.code !== 0 || has(ran, "--dry-run")) return undefined;
  // `diff --plan` shows the plan as it is. A change that was made since is unchanged.
  const results = has(ran, "--plan") ? rowsOf(ran) : [];
  const left = steps.find(
    (step) =>
      !results?.some(({ id, status }) => id === step.id && status === "unchanged") &&
      !sent.some(({ method, id }) => isStep(step, method, id)),
  );
  return results && left && `${left.action} of ${left.id} was shown, but not sent`;
}

/** Compares the catalog before a run with the catalog after its undo. */
export function compareUndone(ran: Ran, undo: Ran): string | undefined {
  if (undo.code !== 0) return `undo ends with ${undo.code}:\n${undo.stderr.slice(0, 1500)}`;
  for (const [id, course] of ran.before) {
    const now = undo.after.get(id);
    if (now === undefined) return `${id} is lost after undo`;
    const wrong = differences(course, now);
    if (wrong.length > 0) return `${id} has another ${wrong.join(", ")} after undo`;
  }
  const extra = [...undo.after.keys()].find((id) => !ran.before.has(id));
  return extra && `${extra} is still there after undo`;
}
