/** POST courses: creates a course (api.md, "POST /developer/v1/courses"). */
import { created, idTaken, refused } from "./answers.ts";
import { contentTypeFault, readObject } from "./body.ts";
import type { Endpoint } from "./endpoint.ts";
import { storedCourse } from "./record.ts";
import { refusalHint } from "./refusal.ts";
import { newSlug } from "./slug.ts";

/** Creates the course that the body describes, under its id or a random one. */
export const createCourse: Endpoint = async (call, { store, clock }) => {
  const fault = contentTypeFault(call);
  if (fault !== undefined) return fault;
  const { body, refusal } = readObject(call);
  if (refusal !== undefined) return refusal;
  const hint = refusalHint(body, "create", call.user.providers);
  if (hint !== undefined) return refused(hint);

  const id = typeof body.id === "string" ? body.id.toLowerCase() : clock.uuid();
  if (store.hasCourse(id)) return idTaken(id);
  const slug = newSlug(String(body.name), clock, (taken) => store.hasSlug(taken));
  await store.add(storedCourse(body, { id, slug, now: clock.now() }));
  return created;
};
