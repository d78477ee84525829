/** Reads courses by their ids. */
import type { CatalogClient } from "../../api/client.ts";
import { mapInOrder } from "../../base/concurrent.ts";
import { asCatalogError, CatalogError } from "../../base/errors.ts";
import type { Context } from "../../command-support/context.ts";
import { concurrencyOf } from "../../command-support/work.ts";
import type { Course } from "../../course/request-body.ts";

/** The course with an id, or why it could not be read. */
export interface ReadCourse {
  readonly id: string;
  readonly course: Course | CatalogError;
}

/**
 * Reads the courses, several at a time, and yields them in the order of the ids.
 *
 * @throws CatalogError of kind `auth` or `interrupted`, because no other course can be read then
 */
export async function* readById(
  ids: readonly string[],
  client: CatalogClient,
  context: Pick<Context, "settings">,
): AsyncGenerator<ReadCourse, void, void> {
  yield* mapInOrder(ids, await concurrencyOf(context), async (id) => {
    const course = (await client.course(id).catch(asCatalogError)) ?? noSuchCourse(id);
    const kind = course instanceof CatalogError ? course.kind : undefined;
    if (kind === "auth" || kind === "interrupted") throw course;
    return { id, course };
  });
}

/** The failure for an id that the user has no course with. */
export function noSuchCourse(id: string): CatalogError {
  return new CatalogError("missing", `no course ${id}, or it is not yours`, {
    advice: '"catalog courses ls" lists your courses.',
  });
}
