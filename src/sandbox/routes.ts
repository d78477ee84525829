/** Finds the endpoint of a request and the user of its key (api.md, "Endpoints"). */
import { type Answer, found, invalidKey, methodNotAllowed, noKey, unknownPath } from "./answers.ts";
import { changeCourse } from "./change-course.ts";
import { createCourse } from "./create-course.ts";
import { deleteCourse } from "./delete-course.ts";
import type { Endpoint, Received, Service } from "./endpoint.ts";
import { listCourses } from "./list-courses.ts";

const listProviders: Endpoint = ({ user }) => found(user.providers);

const ROUTES: ReadonlyMap<string, ReadonlyMap<string, Endpoint>> = new Map([
  ["/developer/v1/providers", new Map([["GET", listProviders]])],
  [
    "/developer/v1/courses",
    new Map([
      ["GET", listCourses],
      ["POST", createCourse],
      ["PATCH", changeCourse],
      ["DELETE", deleteCourse],
    ]),
  ],
]);

/** Answers one request. Rejects only for a fault of the sandbox itself. */
export async function answerTo(received: Received, service: Service): Promise<Answer> {
  const { path, query } = partsOf(received.target);
  const methods = ROUTES.get(path);
  if (methods === undefined) return unknownPath;
  const endpoint = methods.get(received.method);
  if (endpoint === undefined) return methodNotAllowed([...methods.keys()]);

  const { headers, body } = received;
  const key = headers["x-api-key"];
  if (key === undefined || key === "") return noKey;
  const user = service.store.userOf(String(key));
  if (user === undefined) return invalidKey;
  // An endpoint has looked and changed when its call returns, so that both wait for the same.
  const [answer] = await Promise.all([
    endpoint({ user, query, headers, body }, service),
    service.store.settled(),
  ]);
  return answer;
}

/** Path and query of a request target; HTTP also allows a whole URL there. */
function partsOf(target: string): { path: string; query: URLSearchParams } {
  const [, path = "", query = ""] =
    /^(?:https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(target) ?? [];
  // Takes any text: what is no percent-encoding stands for itself.
  return { path, query: new URLSearchParams(query) };
}
