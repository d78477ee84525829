/** PATCH courses: changes the given attributes (api.md, "PATCH /developer/v1/courses"). */
import { isUuid } from "../base/uuid.ts";
import type { PlainObject } from "../base/values.ts";
import { done, invalidSyntax, missingId, noSuchCourse, refused } from "./answers.ts";
import { contentTypeFault, readObject } from "./body.ts";
import type { Endpoint } from "./endpoint.ts";
import { type StoredCourse, storedCourse } from "./record.ts";
import { refusalHint } from "./refusal.ts";

/** Lays the body over the course; null brings an attribute back to its default. */
export const changeCourse: Endpoint = async (call, { store, clock }) => {
  const id = call.query.get("id");
  if (id === null) return missingId;
  if (!isUuid(id)) return invalidSyntax("uuid", id);
  const fault = contentTypeFault(call);
  if (fault !== undefined) return fault;
  const course = store.course(call.user, id.toLowerCase());
  if (course === undefined) return noSuchCourse;
  const { body, refusal } = readObject(call);
  if (refusal !== undefined) return refusal;
  const hint = refusalHint(body, "patch", call.user.providers) ?? otherIdHint(body, course);
  if (hint !== undefined) return refused(hint);

  const { id: ownId, slug } = course;
  await store.replace(storedCourse({ ...course, ...body }, { id: ownId, slug, now: clock.now() }));
  return done;
};

function otherIdHint(body: PlainObject, course: StoredCourse): string | undefined {
  if (!Object.hasOwn(body, "id")) return undefined;
  if (body.id === null) return "id is blank";
  return String(body.id).toLowerCase() === course.id ? undefined : "id cannot be changed";
}
