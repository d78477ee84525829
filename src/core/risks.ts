/** Finds what is rarely meant in a plan, so that people look at it first. Pure. docs/explanation/safety.md lists it. */

import { isDeepStrictEqual } from "node:util";
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { diffCourses, unmanagedFields } from "../course/difference.ts";
import { problemAt } from "../course/problem.ts";
import { hostOf, withoutWww } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";
import type { Found } from "./located.ts";
import { isWrite, type Risk, type Step, type StepTo } from "./step.ts";

/** A text with at least this many characters counts if it is emptied or cut to a third. */
const TEXT_LENGTH = 60;
const TEXTS = ["name", "short_description", "long_description"];

/** The risks of a step, the worst first. */
function findRisks(step: Step): Risk[] {
  if (step.action === "delete") {
    return [{ kind: "delete", path: [], old: step.name, new: null }];
  }
  if (step.action !== "update") return [];
  const { body, before } = step;
  const risks: Risk[] = [];
  if (body.published === false && before.published !== false) {
    risks.push({ kind: "unpublish", path: ["published"], old: true, new: false });
  }
  risks.push(...priceRisks(body, before), ...certificateRisks(body, before));
  const [oldHost, newHost] = [before.url, body.url].map((url) => withoutWww(hostOf(url) ?? ""));
  if (oldHost !== "" && newHost !== "" && oldHost !== newHost) {
    risks.push({ kind: "host", path: ["url"], old: before.url, new: body.url });
  }
  for (const name of TEXTS) {
    const [old, now] = [before[name], Object.hasOwn(body, name) ? (body[name] ?? "") : undefined];
    if (typeof old !== "string" || typeof now !== "string" || old.length < TEXT_LENGTH) continue;
    if (now.length * 3 <= old.length) risks.push({ kind: "text", path: [name], old, new: now });
  }
  return risks;
}

/** The risks of an undo that deletes a course: fields that the run did not send, and that have a value now. */
export function findSince(step: StepTo<"delete">, remote: Course): Risk[] {
  return unmanagedFields(step.before, remote).map((name) => ({
    kind: "since",
    path: [name],
    old: remote[name],
    new: null,
  }));
}

/**
 * The field that changes in the most courses, if they are many: more than 20, and more than half of the courses.
 *
 * @param courses how many courses the files have
 */
export function findMany(steps: readonly Step[], courses: number) {
  const counts = new Map<string, number>();
  for (const step of steps) {
    if (step.action !== "update") continue;
    for (const name of Object.keys(step.body)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (most === undefined) return undefined;
  const [field, count] = most;
  return count > 20 && count * 2 > courses ? { field, count } : undefined;
}

/** The errors of texts that have question marks in place of the letters in the catalog, as lossy programs write them. */
export function findLost(steps: readonly Step[]): Found[] {
  const text =
    "has question marks in place of letters that the catalog has: a program lost them when it saved the file";
  return steps.flatMap((step) => {
    if (step.action !== "update") return [];
    const { from, body, before } = step;
    if (from === undefined) return [];
    const lost = diffCourses(body, before).filter(({ old, new: now }) => isLost(old, now));
    return lost.map(({ path }) => ({ from, problem: problemAt(path, "lost-characters", text) }));
  });
}

/** Whether only characters outside of ASCII were replaced: `Käse` → `K?se`. */
function isLost(old: unknown, now: unknown): boolean {
  if (typeof old !== "string" || typeof now !== "string" || !now.includes("?")) return false;
  // Some programs write two question marks for a character of two code units.
  return isReplacedIn([...old], [...now]) || isReplacedIn(old.split(""), now.split(""));
}

function isReplacedIn(from: readonly string[], to: readonly string[]): boolean {
  if (from.length !== to.length) return false;
  const changed = from.flatMap((letter, index) => (letter === to[index] ? [] : [index]));
  const isReplaced = (index: number): boolean =>
    to[index] === "?" && /[^\p{ASCII}]/u.test(from[index] ?? "");
  return (
    changed.every(isReplaced) && changed.some((index) => /[\p{L}\p{Cs}]/u.test(from[index] ?? ""))
  );
}

function priceRisks(body: PlainObject, before: PlainObject): Risk[] {
  if (!Object.hasOwn(body, "prices") || !isList(before.prices)) return [];
  const { pairs, removed } = pairPrices(before.prices, isList(body.prices) ? body.prices : []);
  return [
    ...pairs.flatMap(([old, now, index]) => amountRisks(["prices", index], old, now)),
    ...removed.flatMap(([old, index]) => amountRisks(["prices", index], old, {})),
  ];
}

function certificateRisks(body: PlainObject, { certificate: old }: PlainObject) {
  if (!Object.hasOwn(body, "certificate") || !isObject(old)) return [];
  return amountRisks(["certificate"], old, isObject(body.certificate) ? body.certificate : {});
}

const AMOUNTS = ["price", "total_price"];

/** A currency that changed, an amount that changed much, or a price that has no amount anymore. */
function amountRisks(path: Path, old: PlainObject, now: PlainObject): Risk[] {
  const { currency } = now;
  const hasCurrencies = typeof old.currency === "string" && typeof currency === "string";
  if (hasCurrencies && old.currency !== currency) {
    return [{ kind: "currency", path: [...path, "currency"], old: old.currency, new: currency }];
  }
  const hasAmount = AMOUNTS.some((name) => amountOf(now[name]) !== undefined);
  const lost = AMOUNTS.find((name) => amountOf(old[name]) !== undefined);
  if (!hasAmount && lost !== undefined) {
    return [{ kind: "amount", path: [...path, lost], old: old[lost], new: null }];
  }
  return AMOUNTS.flatMap((name): Risk[] => {
    const [from, to] = [amountOf(old[name]), amountOf(now[name])];
    if (from === undefined || to === undefined || from === to) return [];
    if (from !== 0 && to !== 0 && from < to * 2 && to < from * 2) return [];
    return [{ kind: "amount", path: [...path, name], old: old[name], new: now[name] }];
  });
}

const planOf = ({ type, plan_type: plan, currency }: PlainObject) => [type, plan ?? null, currency];

/** Which prices belong together: equal ones, then by type, plan and currency, then by position. */
const PAIRED_BY: readonly ((price: PlainObject) => unknown[])[] = [
  (price) => [...planOf(price), amountOf(price.price), amountOf(price.total_price)],
  planOf,
  () => [],
];

/** Pairs prices: old, new and its index in the new list; and those that were removed, with their index in the old list. */
function pairPrices(old: readonly unknown[], now: readonly unknown[]) {
  const left = old.flatMap((price, index) => (isObject(price) ? [[price, index] as const] : []));
  const pairs = new Map<unknown, readonly [PlainObject, PlainObject, number]>();
  for (const keyOf of PAIRED_BY) {
    for (const [index, price] of now.entries()) {
      if (!isObject(price) || pairs.has(price)) continue;
      const isSame = ([other]: (typeof left)[number]): boolean =>
        isDeepStrictEqual(keyOf(other), keyOf(price));
      const same = left.findIndex(isSame);
      const [found] = same === -1 ? [] : left.splice(same, 1);
      if (found !== undefined) pairs.set(price, [found[0], price, index]);
    }
  }
  return { pairs: [...pairs.values()], removed: left };
}

function amountOf(value: unknown): number | undefined {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof amount === "number" && Number.isFinite(amount) ? amount : undefined;
}

/** The steps with their risks. */
export function addRisks(steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    const risks = isWrite(step) ? [...(step.risks ?? []), ...findRisks(step)] : [];
    return risks.length === 0 ? step : { ...step, risks };
  });
}

/** What the last notice of a plan or run says about its risks: their number, and the field that changes in many courses. */
export function countRisks(steps: readonly Step[], many: ReturnType<typeof findMany>) {
  const risks = steps.reduce((sum, step) => sum + (step.risks?.length ?? 0), 0);
  return { risks, ...(many && { many }) };
}
