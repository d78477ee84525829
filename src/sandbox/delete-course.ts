/** DELETE courses: deletes one course (api.md, "DELETE /developer/v1/courses"). */
import { isUuid } from "../base/uuid.ts";
import { done, invalidSyntax, notDeleted, nothingToDelete } from "./answers.ts";
import type { Endpoint } from "./endpoint.ts";

/** Deletes the course of the id, and only tells whether it was there when that is asked for. */
export const deleteCourse: Endpoint = async ({ user, query, headers }, { store, vendor }) => {
  const id = query.get("id");
  if (id === null) return nothingToDelete;
  if (!isUuid(id)) return invalidSyntax("uuid", id);
  const course = store.course(user, id.toLowerCase());
  if (course === undefined) return wantsObject(headers.accept, vendor) ? notDeleted : done;
  await store.remove(course.id);
  return done;
};

function wantsObject(accept: string | undefined, vendor: string): boolean {
  const wanted = `application/vnd.${vendor}.object+json`.toLowerCase();
  const types = (accept ?? "").split(",").map((entry) => entry.split(";")[0] ?? "");
  return types.some((type) => type.trim().toLowerCase() === wanted);
}
