/**
 * Finds what is rarely meant in a plan, so that people look at it first, and why steps must not be sent. Pure.
 * docs/explanation/safety.md lists it.
 */

import { isDeepStrictEqual } from "node:util";
import { CatalogError, UNRELIABLE_LISTING, usageError } from "../base/errors.ts";
import { escapeLine, formatNumber, listSome, pluralize, truncate } from "../base/text.ts";
import { isList, isObject, isUuid, type Path, type PlainObject } from "../base/values.ts";
import { diffCourses, unmanagedFields } from "../course/difference.ts";
import { hostOf, type Provider, withoutWww } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";
import { mostDeletions } from "../settings/table.ts";
import type { CourseIndex } from "./identify.ts";
import type { Found } from "./located.ts";
import { listProviderIds, type Move } from "./plan.ts";
import { isWrite, type Risk, type Step, type StepTo } from "./step.ts";

/** A field that changes in many courses. */
export interface Many {
  readonly field: string;
  readonly count: number;
}

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
export function findMany(steps: readonly Step[], courses: number): Many | undefined {
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
  const message =
    "letters of the text in the catalog are question marks here: a program saved the file without them";
  const error = { severity: "error", at: "value", rule: "lost-characters", message } as const;
  return steps.flatMap((step) => {
    if (step.action !== "update") return [];
    const { from, body, before } = step;
    if (from === undefined) return [];
    const lost = diffCourses(body, before).filter(({ old, new: now }) => isLost(old, now));
    return lost.map(({ path }) => ({ from, problem: { ...error, path } }));
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
  if (!isList(body.prices) || !isList(before.prices)) return [];
  return pairPrices(before.prices, body.prices).flatMap(([old, now, index]) =>
    amountRisks(["prices", index], old, now),
  );
}

function certificateRisks({ certificate: now }: PlainObject, { certificate: old }: PlainObject) {
  return isObject(old) && isObject(now) ? amountRisks(["certificate"], old, now) : [];
}

function amountRisks(path: Path, old: PlainObject, now: PlainObject): Risk[] {
  const { currency } = now;
  const hasCurrencies = typeof old.currency === "string" && typeof currency === "string";
  if (hasCurrencies && old.currency !== currency) {
    return [{ kind: "currency", path: [...path, "currency"], old: old.currency, new: currency }];
  }
  return ["price", "total_price"].flatMap((name): Risk[] => {
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

/** Pairs prices. @returns old, new and its index in the new list */
function pairPrices(
  old: readonly unknown[],
  now: readonly unknown[],
): (readonly [PlainObject, PlainObject, number])[] {
  const left = old.filter(isObject);
  const pairs = new Map<unknown, [PlainObject, PlainObject, number]>();
  for (const keyOf of PAIRED_BY) {
    for (const [index, price] of now.entries()) {
      if (!isObject(price) || pairs.has(price)) continue;
      const same = left.findIndex((other) => isDeepStrictEqual(keyOf(other), keyOf(price)));
      const [found] = same === -1 ? [] : left.splice(same, 1);
      if (found !== undefined) pairs.set(price, [found, price, index]);
    }
  }
  return [...pairs.values()];
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

/** The error of more deletions than the limit; undefined within it. @param of all courses or files, which `what` names */
export function refuseDeletions(
  deletions: number,
  of: number,
  what: string,
  limit: string,
): CatalogError | undefined {
  const most = mostDeletions(limit, of);
  if (deletions <= most) return undefined;
  return usageError(
    `this would delete ${formatNumber(deletions)} of ${what}; the limit is ${formatNumber(most)}`,
    `If you mean it, pass --max-deletes ${deletions}.`,
  );
}

/** The courses of the providers that the files name, among which a run may delete. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: string[];
}

/** `the 300 courses of Example Academy` */
export function describeScope({ courses, providers }: DeletionScope): string {
  const names = listSome(providers.map(escapeLine));
  return `the ${pluralize(courses, "course")}${names === "" ? "" : ` of ${names}`}`;
}

/** A request without a valid id could change or delete every course of a service of this kind. */
export function requireValidIds(steps: readonly Step[]): void {
  const invalid = steps.find(({ id }) => !isUuid(id));
  if (invalid === undefined) return;
  const id = JSON.stringify(truncate(invalid.id));
  const message = `the service lists a course whose id is not a UUID: ${id}`;
  const advice = "Nothing was sent. Is the base URL right? Another service may have responded.";
  throw new CatalogError("unreachable", message, { advice });
}

/** The refusal of a run that would delete courses which may only have moved; undefined without such courses. */
export function refuseMoves(moves: readonly Move[]): CatalogError | undefined {
  const amount = moves.filter(({ isDeleted }) => isDeleted).length;
  if (amount === 0) return undefined;
  const looks = amount === 1 ? "looks like a course" : "look like courses";
  return usageError(
    `${pluralize(amount, "new course")} ${looks} that --prune would delete`,
    "If it is the same course, add the id that the warning shows. If not, push first and prune afterwards.",
  );
}

/** The refusal of steps that create or delete courses after an unreliable listing; undefined for others. */
export function refuseReading(
  steps: readonly Step[],
  isUnreliable: boolean,
): CatalogError | undefined {
  const isAtRisk = steps.some(({ action }) => action === "create" || action === "delete");
  if (!isUnreliable || !isAtRisk) return undefined;
  return usageError(
    UNRELIABLE_LISTING,
    "Nothing was sent, because catalog could delete or recreate a course that the list omits.",
  );
}

/** Counts the fields that are set in the catalog and missing from the files. */
export function describeUnmanaged(steps: readonly Step[]): string[] {
  const counts = steps
    .map((step) => ("unmanaged" in step ? (step.unmanaged?.length ?? 0) : 0))
    .filter((count) => count > 0);
  if (counts.length === 0) return [];
  const fields = counts.reduce((sum, count) => sum + count, 0);
  return [
    `${pluralize(fields, "field")} of ${pluralize(counts.length, "course")} in the catalog ` +
      `${fields === 1 ? "is not in your files and stays as it is" : "are not in your files and stay as they are"}. ` +
      `To clear ${fields === 1 ? "it" : "them"}, pass --complete.`,
  ];
}

/** The notice about providers that have courses, and that no file names. */
export function describeOthers(
  providers: readonly Provider[],
  providerIds: ReadonlySet<string>,
  index: CourseIndex,
): string[] {
  const withCourses = new Set(listProviderIds(index.courses));
  const found = providers.filter(({ id }) => {
    const own = id.toLowerCase();
    return withCourses.has(own) && !providerIds.has(own);
  });
  const [first] = found;
  if (first === undefined) return [];
  const names = listSome(found.map(({ name }) => truncate(name)));
  const [whom, example] =
    found.length === 1 ? ["this provider", ""] : ["these providers", "each provider, for example "];
  return [
    `Skipped the courses of ${names}, because no file names ${whom}. ` +
      `To include them, pass ${example}--provider ${first.slug}.`,
  ];
}

/** What the last notice of a plan or run says about its risks: their number, and the field that changes in many courses. */
export function countRisks(steps: readonly Step[], many: Many | undefined) {
  const risks = steps.reduce((sum, step) => sum + (step.risks?.length ?? 0), 0);
  return { risks, ...(many && { many }) };
}
