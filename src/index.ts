/** The library's entry point: the client and the checker. */

export { CatalogError, type ErrorFacts, type ErrorKind } from "./base/errors.ts";
export { checkCourse } from "./course/check.ts";
export type { Problem, RuleId, Severity } from "./course/problem.ts";
export type { Provider } from "./course/provider.ts";
export type { Course } from "./course/request-body.ts";
export {
  CatalogClient,
  type CourseQuery,
  type Effect,
  type ListingEnd,
} from "./service/client.ts";
export type { ClientOptions } from "./service/http.ts";
