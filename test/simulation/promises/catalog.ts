/** Promises about which courses of the catalog are created, changed and deleted. */
import {
  derivedId,
  differences,
  FIELDS,
  findConflicts,
  findMeant,
  isSame,
  normalUrl,
} from "../model.ts";
import { UUID } from "./results.ts";
import {
  argumentsOf,
  type Check,
  describedIn,
  flagValue,
  has,
  isFaithful,
  isOf,
  isTouched,
  isWorkbook,
} from "./run.ts";

export const uniqueUrl: Check = (ran, judge) => {
  if (isOf(ran, "undo") && has(ran, "--force")) return undefined;
  const seen = judge.records.get(String(ran.record?.header.undoes))?.seen;
  for (const { method, id, before, after, sameUrl } of ran.writes) {
    const url = normalUrl(after?.url);
    if (after === undefined || (before && normalUrl(before.url) === url)) continue;
    const hadUrl = (other: string): boolean => normalUrl(seen?.get(other)?.url) === url;
    // undo restores courses that shared their url.
    const others = sameUrl.filter((other) => !(hadUrl(id) && hadUrl(other)));
    const other = others.find(
      (each) => normalUrl(ran.before.get(each)?.url) === url && !isTouched(ran, [each]),
    );
    if (other !== undefined) return `${id} got the url ${String(after.url)} of ${other}`;
    const isCreated = (each: string): boolean =>
      ran.writes.some((write) => write.id === each && write.method === "POST");
    const twin = others.find((each) => !ran.before.has(each) && isCreated(each));
    if (twin !== undefined && method !== "DELETE")
      return `${twin} and ${id} were both created with the url ${String(after.url)}`;
  }
  return undefined;
};

export const noFalseUpdate: Check = (ran, { world }) => {
  for (const [index, { method, id, body = {}, before = {} }] of ran.writes.entries()) {
    const isFirst =
      ran.writes.findIndex((each) => each.id === id && each.method === method) === index;
    if (method !== "PATCH" || !isFirst || isTouched(ran, [id]) || world.freedoms.trims) continue;
    const same = Object.keys(body).find((field) => isSame(field, body[field], before[field]));
    if (same !== undefined)
      return `PATCH of ${id} sends ${same}, which is as it was: ${JSON.stringify(body[same])}`;
  }
  return undefined;
};

export const limitsDeletions: Check = (ran) => {
  const removed = ran.writes.filter(({ method }) => method === "DELETE");
  if (!isOf(ran, "push") || has(ran, "--plan") || isWorkbook(ran) || removed.length === 0)
    return undefined;
  if (!has(ran, "--prune")) return "push deletes without --prune";
  const usual = Math.max(5, Math.ceil(ran.before.size / 10));
  const flag = flagValue(ran, "--max-deletes") ?? "";
  const most = flag.endsWith("%") ? Number.POSITIVE_INFINITY : Number(flag || usual);
  return removed.length > most
    ? `push deletes ${removed.length} courses, and the limit is ${most}`
    : undefined;
};

export const scope: Check = (ran, judge) => {
  const { world } = judge;
  const isPlain = isOf(ran, "push") && !has(ran, "--plan", "--base") && !isWorkbook(ran);
  if (!isPlain || ran.interferences.length > 0 || world.freedoms.isRestless) return undefined;
  const described = describedIn(ran, judge);
  if (described === undefined) return undefined;
  const courses = [...ran.before.values()];
  const meant = described.map(({ course }) => findMeant(course, courses));
  const fresh = described.flatMap(({ course }, index) =>
    meant[index] === "new" ? [String(course.id || derivedId(course)).toLowerCase()] : [],
  );
  const named = world.providers.find(({ slug }) => slug === flagValue(ran, "--provider"));
  const pruned = new Set([...described.map(({ course }) => course.provider_id), named?.id]);
  for (const { method, id, before } of ran.writes) {
    if (method === "DELETE" && meant.includes(id))
      return `${id} is deleted, although a file means it`;
    if (method === "DELETE" && !pruned.has(before?.provider_id))
      return `${id} of another provider is deleted`;
    if (method === "POST" && !fresh.includes(id))
      return `${id} is created, although no file means a new course`;
    if (method === "PATCH" && !meant.includes(id))
      return `${id} is changed, although no file means it`;
  }
  if (ran.writes.length === 0) return undefined;
  const [file] = findConflicts(described, courses);
  return file && `something is sent although ${file} means no course for sure, or one of another`;
};

export const matchesFiles: Check = (ran, judge) => {
  const isPlain =
    isOf(ran, "push", "update") &&
    ran.code === 0 &&
    !has(ran, "--plan", "--base", "--dry-run", "--set");
  if (!isPlain || !isFaithful(judge.world) || isWorkbook(ran)) return undefined;
  const courses = [...ran.after.values()];
  for (const { course, file } of describedIn(ran, judge) ?? []) {
    const id = findMeant(course, courses);
    if (isTouched(ran, [id, derivedId(course), String(course.id).toLowerCase()], course.url))
      continue;
    const stored = ran.after.get(id);
    if (stored === undefined) return `the course of ${file} is not in the catalog`;
    const isCleared = (field: string): boolean => has(ran, "--complete") && field !== "published";
    const fields = FIELDS.filter((field) => field in course || isCleared(field));
    const wrong = differences(course, stored, fields);
    if (wrong.length > 0) return `${file} and the catalog differ in ${wrong.join(", ")}`;
  }
  return undefined;
};

export const refusesUnreliable: Check = (ran) => {
  const isUnreliable = ran.exchanges.some(
    ({ rows = [] }) => new Set(rows.map(({ id }) => id)).size < rows.length,
  );
  const byId = isOf(ran, "rm") && argumentsOf(ran).every((word) => UUID.test(word));
  const sent = ran.writes.find(({ method }) => method !== "PATCH");
  return isUnreliable && sent && !byId
    ? `${sent.method} of ${sent.id} after a list that shows a course twice`
    : undefined;
};

export const rightCourse: Check = (ran, { world }) => {
  // After an unreliable list, updates go on.
  if (world.freedoms.isRestless || !isOf(ran, "rm", "publish", "unpublish")) return undefined;
  for (const word of argumentsOf(ran).filter((each) => each.includes("://"))) {
    if (isTouched(ran, [], word)) continue;
    const same = [...ran.before.values()].filter(({ url }) => normalUrl(url) === normalUrl(word));
    const derived = same.filter(
      ({ id, provider_id }) => derivedId({ provider_id, url: word }) === id,
    );
    const [own] = same.length === 1 ? same : derived;
    const wrong = ran.writes.find(
      ({ id }) => same.some((each) => each.id === id) && own?.id !== id,
    );
    if (wrong !== undefined)
      return `${word} means ${own?.id ?? "several courses"}, but ${wrong.method} of ${wrong.id} was sent`;
    const isUndisturbed = ran.events.every(({ colleague }) => colleague !== undefined);
    if (own !== undefined && ran.code === 5 && isUndisturbed)
      return `${word} means ${own.id}, but it is not found`;
  }
  return undefined;
};
