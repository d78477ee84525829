/** Creates a course exactly once, whatever the connection does (cli.md section 8). */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import { differingFields } from "../course/difference.ts";
import type { Course } from "../course/wire.ts";
import { failure } from "./answer.ts";
import type { Attempts } from "./retry.ts";
import type { Request } from "./transport.ts";

/** What a creation came to. */
export type Creation =
  | { readonly outcome: "created" }
  /** The id was there already; `course` is what the service holds under it. */
  | { readonly outcome: "exists"; readonly course: Course; readonly refusal: CatalogError };

/** What creating needs of the client. */
export interface CreationCalls {
  readonly request: Request;
  readonly attempt: (tookEffect: (deadline: number) => Promise<boolean>) => Promise<Attempts>;
  readonly lookUp: (deadline?: number) => Promise<Course | undefined>;
}

/**
 * Sends the POST; after every lost answer, and after a refusal of an id that may exist, looks the
 * id up before anything else is done.
 *
 * @param chosen whether the id was made up for this call, so that nobody else can have used it
 */
export async function createCourse(
  course: PlainObject & { readonly id: string },
  chosen: boolean,
  calls: CreationCalls,
): Promise<Creation> {
  const isThisOne = (held: Course): boolean => chosen || differingFields(course, held).length === 0;
  let stranger: Course | undefined;

  const { outcome, uncertainBefore } = await calls.attempt(async (deadline) => {
    const held = await lookUpAfterLoss(course.id, () => calls.lookUp(deadline));
    if (held !== undefined && !isThisOne(held)) stranger = held;
    return held !== undefined;
  });

  if (stranger !== undefined) return exists(stranger, alreadyThere(course.id));
  if (outcome === "took-effect") return { outcome: "created" };
  if ("answer" in outcome && outcome.answer.status >= 200 && outcome.answer.status < 300) {
    return { outcome: "created" };
  }
  const refusal = failure(calls.request, outcome, `create course ${course.id}`);
  if (refusal.kind !== "refused" || (chosen && !uncertainBefore)) throw refusal;
  const held = uncertainBefore
    ? await lookUpAfterLoss(course.id, () => calls.lookUp())
    : await calls.lookUp().catch(() => undefined);
  if (held === undefined) throw refusal;
  if (uncertainBefore && isThisOne(held)) return { outcome: "created" };
  return exists(held, refusal);
}

function exists(course: Course, refusal: CatalogError): Creation {
  return { outcome: "exists", course, refusal };
}

function alreadyThere(id: string): CatalogError {
  return new CatalogError("refused", `a course with the id ${id} already exists`);
}

async function lookUpAfterLoss(
  id: string,
  lookUp: () => Promise<Course | undefined>,
): Promise<Course | undefined> {
  try {
    return await lookUp();
  } catch (thrown) {
    const error = asCatalogError(thrown);
    const message = `the answer to creating course ${id} was lost, and looking it up failed: ${error.message}`;
    throw new CatalogError(error.kind, message, {
      ...error.facts,
      advice: `It may exist: see "catalog courses get ${id}" before creating it again.`,
    });
  }
}
