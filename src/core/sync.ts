/** Plans the steps after which the courses in the catalog match the courses in files. Pure: reads and sends nothing. */

import { parseUrl } from "../base/credentials.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeLine, pluralize } from "../base/text.ts";
import { addTo, asText } from "../base/values.ts";
import type { Located } from "../course/problem.ts";
import { belongsTo } from "../course/provider.ts";
import { type Course, toCreateBody } from "../course/request-body.ts";
import { EXTERNAL_KEY, normalizeUrl } from "../course/special-fields.ts";
import { type Base, baseFor, completeRow, findAtBase, isAsAtBase } from "./base.ts";
import {
  type CourseIndex,
  chooseId,
  describeListed,
  describeUnclear,
  EqualCourse,
  findTakenUrls,
  isUnclear,
  type Listed,
  listIds,
} from "./identify.ts";
import { FileCourse, type Found, locateError } from "./located.ts";
import { planChange, planCreation, planDeletion, refuseStep, type Step } from "./step.ts";

/**
 * A function that decides what stays in memory of a course while the catalog is read: of a course that equals the file
 * with its id only what identifies it, because most pushes change few of many courses.
 */
export function compareEarly(desired: readonly Located[], complete: boolean) {
  // What an added row of a workbook leaves empty may have been sent from it before.
  const isWhole = (from: Located): boolean =>
    !(from instanceof FileCourse && from.source.own?.isKnown === false);
  const byId = new Map(desired.filter(isWhole).map((from) => [chooseId(from.value), from]));
  return (course: Course): Listed => {
    const from = byId.get(course.id.toLowerCase());
    const step = from && planChange(from, course, { complete });
    return step?.action === "unchanged" ? new EqualCourse(course, step) : course;
  };
}

/**
 * Finds the course that each desired course means. One that is as it was at the base changes nothing, so that its id
 * alone says which course it is.
 *
 * @returns the desired courses that mean one course or, if the catalog has none, a new one; and the problems of the others
 */
export function matchDesired<Item extends Listed>(
  desired: readonly Located[],
  index: CourseIndex<Item>,
  base: Base | undefined,
) {
  const unclear: Found[] = [];
  const matches = desired.flatMap((draft): Match<Item>[] => {
    const from = completeRow(draft, base);
    const { value } = from;
    const meaning = index.identify(value);
    if (meaning.is === "found") {
      const { course, by } = meaning;
      return [{ from, id: course.id, course, by }];
    }
    const courses = baseFor(base, from);
    const isUntouched = isAsAtBase(value, courses);
    if (isUnclear(meaning) && !isUntouched) {
      unclear.push({ from, problem: describeUnclear(value, meaning) });
      return [];
    }
    const before = isUntouched ? findAtBase(courses, value.id, value) : undefined;
    const id = chooseId({ ...value, id: before?.id ?? value.id });
    return [{ from, id, course: isUntouched ? index.find(id) : undefined, isUntouched }];
  });
  return { matches, unclear };
}

/** A desired course, and the course that it means; undefined if the catalog has none. */
export interface Match<Item> {
  readonly from: Located;
  readonly id: string;
  readonly course: Item | undefined;
  /** The field that names the course. */
  readonly by?: string;
  readonly isUntouched?: boolean;
}

/**
 * Plans the steps after which the catalog matches the desired courses, which have passed every check.
 *
 * @returns the steps in the order of the desired courses, followed by the deletions; with `unclear`, they must not be
 * applied. `keyed`: the names of courses that were found by their url, although their files have a key
 */
export function planSync(
  desired: readonly Located[],
  index: CourseIndex,
  {
    prune = false,
    complete = false,
    base,
    providerIds,
  }: {
    /** Delete the courses of `providerIds` that no desired course means. */
    readonly prune?: boolean;
    /** Clear the fields that desired courses omit. */
    readonly complete?: boolean;
    readonly base?: Base | undefined;
    /** The providers whose courses the files describe, in lowercase. */
    readonly providerIds: ReadonlySet<string>;
  },
) {
  const { matches, unclear } = matchDesired(desired, index, base);
  const keyed: Step[] = [];
  const steps = matches.map(({ from, id, course, by }): Step => {
    if (course === undefined) return planCreation(from, toCreateBody(from.value, id));
    const step =
      course instanceof EqualCourse ? course.step : planChange(from, course, { complete });
    if (by === "url" && from.value[EXTERNAL_KEY] !== undefined) keyed.push(step);
    // The step of another file has the same id, which is an error.
    return step.from === from ? step : { ...step, from };
  });
  const ids = new Set(steps.map(({ id }) => id));
  const deletions = [...index.courses].flatMap((course) => {
    if (course instanceof EqualCourse || ids.has(course.id.toLowerCase())) return [];
    return prune && belongsTo(course, providerIds) ? [planDeletion(course)] : [];
  });
  return { steps: [...steps, ...deletions], unclear, keyed };
}

/** The step that creates a course; refused at its place if the course exists, or another one has its url. */
export async function planNew(from: Located, index: CourseIndex): Promise<Step> {
  const { value } = from;
  const step = planCreation(from, toCreateBody(value, chooseId(value)));
  const meaning = index.identify(value);
  const refuse = async (field: string, message: string, id: string): Promise<Step> => {
    const error = new CatalogError("rejected", message, { rule: "course-exists" });
    const known = { ...step, id: id.toLowerCase() };
    return refuseStep(known, "create", await locateError(error, from, [field]));
  };
  switch (meaning.is) {
    case "free":
    case "unknown":
      return step;
    case "several": {
      const { by, courses } = meaning;
      return await refuse(by, `courses with this ${by} exist: ${listIds(courses)}`, step.id);
    }
    case "derived": {
      const { own } = meaning;
      const message = `the id derived from this url belongs to ${describeListed(own)}: give the new course a key or an id`;
      return await refuse("url", message, own.id);
    }
    default: {
      const [by, { id }] =
        meaning.is === "found" ? [meaning.by, meaning.course] : ["url", meaning.other];
      const copy = by === "id" ? "; for a copy, remove the id" : "";
      const message = `a course with this ${by} exists: ${id}; to update it, use push${copy}`;
      return await refuse(by, message, id);
    }
  }
}

/** The errors of courses in files that are the same as another course in the files, or have its url. */
export function findSame(steps: readonly Step[], index: CourseIndex): Found[] {
  const first = new Map<string, Located>();
  const error = { severity: "error", at: "value" } as const;
  const same = steps.flatMap(({ id, from }): Found[] => {
    if (from === undefined) return [];
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, from);
      return [];
    }
    const path = [["id", EXTERNAL_KEY].find((name) => from.value[name]) ?? "url"];
    const message = `is the same course as the one at another (id ${id})`;
    return [{ from, problem: { ...error, rule: "same-course", path, message }, same: earlier }];
  });
  const taken = findTakenUrls(steps, index).flatMap(({ step, id, by }): Found[] => {
    if (step.from === undefined) return [];
    const message = `same url as ${by === undefined ? `the course ${id} in the catalog` : "the course at another"}`;
    const problem = { ...error, rule: "duplicate-url", path: ["url"], message } as const;
    return [{ from: step.from, problem, ...(by?.from && { same: by.from }) }];
  });
  return [...same, ...taken];
}

/** The refusal of a run that would delete courses which may only have moved; undefined without such courses. */
export function refuseMoves(moves: ReturnType<typeof findMoves>): CatalogError | undefined {
  const amount = moves.filter(({ isDeleted }) => isDeleted).length;
  if (amount === 0) return undefined;
  const looks = amount === 1 ? "looks like a course" : "look like courses";
  return usageError(
    `${pluralize(amount, "new course")} ${looks} that --prune would delete`,
    "If it is the same course, add the id that the warning shows. If not, push first and prune afterwards.",
  );
}

/**
 * Finds courses to be created that may be existing courses under an old url: that resemble a remote course without a step,
 * by provider and name or by url.
 */
export function findMoves(steps: readonly Step[], remote: CourseIndex) {
  const described = new Set(steps.flatMap(({ from, id }) => (from === undefined ? [] : [id])));
  const deleted = new Set(steps.flatMap(({ action, id }) => (action === "delete" ? [id] : [])));
  const similar = new Map<string, Course[]>();
  for (const course of remote.courses) {
    if (course instanceof EqualCourse || described.has(course.id.toLowerCase())) continue;
    for (const trait of listTraits(course)) addTo(similar, trait, course);
  }
  const isDeleted = ({ id }: Course): boolean => deleted.has(id.toLowerCase());
  return steps.flatMap((step) => {
    if (step.action !== "create" || step.from === undefined) return [];
    const candidates = listTraits(step.body).flatMap((trait) => similar.get(trait) ?? []);
    const found = candidates.find(isDeleted) ?? candidates[0];
    if (found === undefined) return [];
    const { name, url, id } = found;
    const fate = isDeleted(found) ? "would be deleted" : "is in no file";
    const message = `looks like a course that moved: ${escapeLine(JSON.stringify(name ?? null))} at ${escapeLine(asText(url))} ${fate}; if it is the same course, add "id: ${id}"`;
    const warning = { rule: "possible-move", severity: "warning", at: "value" } as const;
    const problem = { ...warning, path: ["url"], message };
    return [{ from: step.from, problem, isDeleted: isDeleted(found) }];
  });
}

/** The traits by which two descriptions of one course resemble each other, the most specific first. */
function listTraits({ url, name, provider_id: provider }: Course): string[] {
  const traits: string[] = [];
  if (typeof url === "string") traits.push(`url ${simplifyUrl(url)}`);
  if (typeof name === "string" && typeof provider === "string") {
    traits.push(`name ${provider.toLowerCase()} ${name.trim().toLowerCase()}`);
  }
  return traits;
}

/** Parameters that say where a visitor came from: `utm_source=x`, `gclid=1`, `fbclid=1`, `mc_cid=1`. */
const TRACKING = /^(?:$|utm_|(?:[a-z]*clk?id|mc_[ce]id|_g[al])(?:=|$))/i;

/** A url without the parts that rarely matter: `https://www.A.example/b/?utm_x=1#c` gives `a.example/b?`. */
function simplifyUrl(text: string): string {
  const url = parseUrl(normalizeUrl(text));
  if (url === undefined) return text;
  const parameters = url.search
    .slice(1)
    .split("&")
    .filter((each) => !TRACKING.test(each));
  return `${url.host.replace(/^www\./, "")}${url.pathname}?${parameters.join("&")}`;
}
