/** What a push READS, plans and sends. */

import { expect, test } from "vitest";
import { uuid5 } from "../core/plans.ts";
import { PROVIDER_ID, rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import {
  courseWithoutId,
  listRequest,
  patchRequest,
  push,
  READS,
  rigWithTwoProviders,
  SCHOOL,
  SEWING,
  SEWING_ID,
  writeRequests,
} from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

test("push reads providers and courses, creates each course with its id, and prints nothing on stdout", async () => {
  const r = await rig();
  await r.write("courses/a.yaml", SEWING);
  await r.write("courses/b.json", [courseWithoutId(1), numberedCourse(2)]);
  const { environment, writes, requests: seen } = await startRecordingProxy(r);
  const ran = await push(r, ["courses", "--concurrency", "1"], { environment });
  expect([ran.code, ran.stdout]).toEqual([0, ""]);
  expect(seen.slice(0, 2)).toEqual(READS);
  expect(writes.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(3).fill("POST /developer/v1/courses"),
  );
  expect(writes.map(({ body }) => body)).toEqual([
    expect.objectContaining({ id: SEWING_ID, name: "Sewing", audio: ["en"] }),
    { ...courseWithoutId(1), id: uuid5("https://academy.example/1") },
    numberedCourse(2),
  ]);
  const ids = [SEWING_ID, uuid5("https://academy.example/1"), id(2)];
  expect((await storedCourses(r)).map((course) => course.id)).toEqual(ids);
});

test("a second push of unchanged files changes nothing", async () => {
  const r = await rig();
  await r.write("a.yaml", SEWING);
  await r.write("b.json", [
    courseWithoutId(1),
    numberedCourse(2, { published: false, level: null }),
  ]);
  await push(r, ["a.yaml", "b.json"]);
  const ran = await push(r, ["a.yaml", "b.json"]);
  expect([ran.code, ran.requests]).toEqual([0, READS]);
  expect(ran.stderr).toBe("Already up to date: 3 courses.\n");
});

test("push does not send a field that is null in a new course", async () => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1, { image_url: null, prices: null, slug: null }));
  const { environment, writes } = await startRecordingProxy(r);
  expect((await push(r, ["a.json"], { environment })).code).toBe(0);
  expect(Object.keys(writes[0]?.body as object).sort()).toEqual(
    Object.keys(numberedCourse(1)).sort(),
  );
});

const PRICE = { type: "single_course", price: "10", currency: "USD" };

test("push clears fields that are null in the file and keeps fields that the file omits", async () => {
  const r = await rigWith(
    numberedCourse(1, { image_url: "https://i.example/1", prices: [PRICE], published: false }),
  );
  await r.write("a.json", numberedCourse(1, { image_url: null, published: null }));
  const { environment, writes } = await startRecordingProxy(r);
  await push(r, ["a.json"], { environment });
  expect(writes.map(({ body }) => body)).toEqual([{ published: null, image_url: null }]);
  expect(await storedCourses(r)).toMatchObject([
    { image_url: null, published: true, prices: [PRICE] },
  ]);
  expect(writeRequests(await push(r, ["a.json"]))).toEqual([]);
});

test("push finds a course by its url if the file has no id", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", courseWithoutId(2, { pace: "instructor_paced" }));
  expect(writeRequests(await push(r, ["a.json"]))).toEqual([patchRequest(2)]);
});

test("push finds providers by slug, domain or name, and reads the courses of all providers at once", async () => {
  const r = await rigWithTwoProviders();
  const by = (number: number, provider: string, site: string) =>
    courseWithoutId(number, { url: `https://${site}/${number}`, provider_id: undefined, provider });
  await r.write("a.json", [
    by(1, "example-academy", "academy.example"),
    by(2, "Example School", "school.example"),
  ]);
  await r.write("b.json", by(3, "school.example", "school.example"));
  const ran = await push(r, ["a.json", "b.json"]);
  expect(ran.code).toBe(0);
  expect(ran.requests.filter((line) => line.startsWith("GET"))).toEqual([
    "GET /developer/v1/providers",
    listRequest(),
  ]);
  expect((await storedCourses(r)).map((course) => [course.id, course.provider_id]).sort()).toEqual(
    [
      [uuid5("https://academy.example/1"), PROVIDER_ID],
      [uuid5("https://school.example/2", SCHOOL.id), SCHOOL.id],
      [uuid5("https://school.example/3", SCHOOL.id), SCHOOL.id],
    ].sort(),
  );
  expect(writeRequests(await push(r, ["a.json", "b.json"]))).toEqual([]);
});

test("push --write-ids writes the id of a new course into its file and changes nothing else", async () => {
  const r = await rig();
  await r.write("a.yaml", SEWING);
  expect((await push(r, ["a.yaml", "--write-ids"])).code).toBe(0);
  expect(await r.read("a.yaml")).toBe(SEWING.replace("name:", `id: ${SEWING_ID}\nname:`));
  expect((await storedCourses(r)).map((course) => course.id)).toEqual([SEWING_ID]);
});

test("push --write-ids adds a column to a CSV file without ids", async () => {
  const r = await rig();
  const { id: _, audio: __, ...first } = numberedCourse(1);
  const table = [Object.keys(first), Object.values(first)].map((row) => `${row.join(",")},en\n`);
  await r.write("a.csv", table.join("").replace(",en", ",audio"));
  const ran = await push(r, ["a.csv", "--write-ids"]);
  const ids = (await storedCourses(r)).map((course) => course.id);
  const [header, row] = lines(await r.read("a.csv"));
  expect([ran.code, header]).toEqual([0, expect.stringMatching(/,audio,id$/)]);
  expect(row?.endsWith(`,en,${ids}`)).toBe(true);
});
