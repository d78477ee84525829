/** Recognizes an API key of another account than the files: one error, instead of several for each course. */
import { CatalogError } from "../base/errors.ts";
import { formatNumber, listSome, truncate } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { RuleId } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { findForeignHosts } from "../course/provider-ownership.ts";
import type { SourceCourse } from "../files/course-file.ts";

/** The problems that this error replaces. */
export const OWNERSHIP_RULES: ReadonlySet<RuleId> = new Set([
  "provider-owned",
  "provider-unknown",
  "url-host",
]);

/** Receives the courses of all files, and finds out whether none of them belongs to the user's providers. */
export class ForeignCourses {
  readonly #providers: readonly Provider[];
  readonly #hosts = new Set<string>();
  #courses = 0;
  #areAll: boolean;

  constructor(providers: readonly Provider[]) {
    this.#providers = providers;
    this.#areAll = providers.length > 0;
  }

  add(courses: readonly SourceCourse[]): void {
    if (!this.#areAll) return;
    const values = courses.flatMap(({ value }) => (isObject(value) ? [value] : []));
    const hosts = findForeignHosts(values, this.#providers);
    this.#areAll = hosts !== undefined;
    this.#courses += values.length;
    for (const host of hosts ?? []) this.#hosts.add(host);
  }

  /** The error; undefined if a course is the user's, or if there is only one course, which may be wrong itself. */
  get failure(): CatalogError | undefined {
    if (!this.#areAll || this.#courses < 2) return undefined;
    const owner = listSome(this.#providers.map(({ name }) => truncate(name)));
    const amount = formatNumber(this.#courses);
    return new CatalogError(
      "auth",
      `this key belongs to ${owner}; all ${amount} courses are of ${listSome([...this.#hosts])}: wrong key or wrong folder?`,
      { advice: 'Nothing was sent. To see which key is in use, run "catalog status".' },
    );
  }
}
