/** No command changes, deletes or recreates a course because the service normalizes urls. */
import { describe, expect, test } from "vitest";
import { startOtherService } from "../other-service.ts";
import { rig } from "../rig.ts";
import { id } from "./helpers.ts";
import { courseWithoutId, json, push, writeRequests } from "./push-files.ts";

type Course = Record<string, unknown>;

const withSlash = ({ url, ...course }: Course): Course =>
  typeof url === "string" ? { ...course, url: `${url.replace(/\/$/, "")}/` } : course;
const withoutSlash = ({ url, ...course }: Course): Course =>
  typeof url === "string" ? { ...course, url: url.replace(/\/$/, "") } : course;

const WAYS: readonly (readonly [string, (course: Course) => Course, string])[] = [
  ["adds a trailing slash", withSlash, ""],
  ["removes a trailing slash", withoutSlash, "/"],
];

/** Files with three courses whose urls end as given. */
async function files(ending: string) {
  const r = await rig();
  const courses = [1, 2, 3].map((number) =>
    courseWithoutId(number, { url: `https://academy.example/${number}${ending}` }),
  );
  await r.write("a.json", json(courses));
  return { r, courses };
}

describe.each(WAYS)("a service that %s", (change, normalize, ending) => {
  test(`push and diff find no change after a push to a service that ${change}`, async () => {
    const { r } = await files(ending);
    const service = await startOtherService(r);
    service.normalize = normalize;
    const { environment } = service;
    const first = await push(r, ["a.json"], { environment });
    expect([first.code, writeRequests(first).length]).toEqual([0, 3]);
    for (const flags of [[], ["--prune", "--yes"], ["--complete"]]) {
      const again = await push(r, ["a.json", ...flags], { environment });
      expect([again.code, writeRequests(again)]).toEqual([0, []]);
    }
    const shown = await r.run(["courses", "diff", "a.json", "--exit-code"], { environment });
    expect([shown.code, shown.stdout]).toEqual([0, "Already up to date: 3 courses.\n"]);
  });

  test(`push --prune finds courses with other ids by their urls on a service that ${change}`, async () => {
    const { r, courses } = await files(ending);
    const remote = courses.map((course, index) => ({ ...normalize(course), id: id(index + 1) }));
    const { environment } = await startOtherService(r, ...remote);
    const ran = await push(r, ["a.json", "--prune", "--yes"], { environment });
    expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  });
});
