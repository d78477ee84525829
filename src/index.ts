/** The library's entry point: the client and the checker. */
export { CatalogClient, type ClientOptions } from "./api/client.ts";
export type { Creation } from "./api/lost-writes.ts";
export type { CourseQuery, ListingEnd, ListOptions } from "./api/paginate.ts";
export type { Exchange } from "./api/sender.ts";
export { CatalogError, type ErrorFacts, type ErrorKind } from "./base/errors.ts";
export { type CheckOptions, checkCourse } from "./course/check.ts";
export { checkOwnership } from "./course/ownership.ts";
export { type Problem, RULES, type RuleId, type Severity } from "./course/problem.ts";
export type { Provider } from "./course/provider.ts";
export type { Course } from "./course/request-body.ts";
