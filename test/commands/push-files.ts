/** For tests of push and diff: course files, and the results of a push. */
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeeds } from "../../src/sandbox/seed.ts";
import { course, PROVIDER_ID, type Rig, type RunResult, rig, testClock } from "../rig.ts";
import { id, numberedCourse, rigWith, storedCourses } from "./helpers.ts";

export const json = (value: unknown): string => JSON.stringify(value);

/** A course for a file, without an id. */
export const SEWING = `# Our oldest course.
name: Sewing
url: https://academy.example/sewing
short_description: Short.
long_description: Long.
audio: [en]
provider_id: ${PROVIDER_ID}
pace: self_paced
`;
/** Its id once it is pushed: the UUIDv5 of its url in the namespace of its provider. */
export const SEWING_ID = "aec540ee-65dd-5343-ace6-a058050a3219";

/** The nth of many courses without an id. */
export function courseWithoutId(number: number, changes: Readonly<Record<string, unknown>> = {}) {
  return course({
    name: `Course ${number}`,
    url: `https://academy.example/${number}`,
    ...changes,
  });
}

/** A second provider of the user. */
export const SCHOOL = {
  id: "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b",
  name: "Example School",
  description: "",
  slug: "example-school",
  url: "https://school.example",
  domain: "school.example",
  published: true,
};

/** The request that lists a hundred courses. */
export function listRequest(offset = 0): string {
  return `GET /developer/v1/courses?limit=100&offset=${offset}`;
}

/** The reading requests of a push, for a catalog of fewer than a hundred courses. */
export const READS: readonly string[] = ["GET /developer/v1/providers", listRequest()];

/** The requests of a run that change something. */
export function writeRequests(ran: RunResult): string[] {
  return ran.requests.filter((line) => !line.startsWith("GET "));
}

/** Runs `courses push` with these paths and flags. */
export async function push(r: Rig, words: readonly string[], options = {}): Promise<RunResult> {
  return await r.run(["courses", "push", ...words], options);
}

/** A rig whose user has two providers and these courses. */
export async function rigWithTwoProviders(
  ...courses: readonly Readonly<Record<string, unknown>>[]
): Promise<Rig> {
  const user = { key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER, SCHOOL], courses };
  return await rig({ seed: parseSeeds([{ users: [user] }], testClock()) });
}

/** The urls of all courses in the sandbox, in order of number. */
export async function storedUrls({ sandbox }: Rig): Promise<string[]> {
  const urls: string[] = [];
  for (let size = 100; size === 100; ) {
    const query = `limit=100&offset=${urls.length}`;
    const answer = await fetch(`${sandbox.baseUrl}/developer/v1/courses?${query}`, {
      headers: { "x-api-key": DEFAULT_KEY },
    });
    const page = (await answer.json()) as { url: string }[];
    urls.push(...page.map(({ url }) => url));
    size = page.length;
  }
  return urls.sort();
}

/** Writes files of `each` courses. @returns the urls of all courses, sorted */
export async function writeCourseFiles(r: Rig, files: number, each: number): Promise<string[]> {
  const urls: string[] = [];
  for (let file = 0; file < files; file++) {
    const courses = Array.from({ length: each }, (_, number) =>
      courseWithoutId(file * each + number),
    );
    urls.push(...courses.map(({ url }) => String(url)));
    await r.write(`courses/${file}.json`, courses);
  }
  return urls.sort();
}

/** The requests that read, change and delete the nth course. */
export const readRequest = (number: number): string => `GET /developer/v1/courses?id=${id(number)}`;

export const patchRequest = (number: number): string =>
  `PATCH /developer/v1/courses?id=${id(number)}`;
export const deleteRequest = (number: number): string =>
  `DELETE /developer/v1/courses?id=${id(number)}`;

/** The ids of the courses in the sandbox. */
export async function storedIds(r: Rig): Promise<unknown[]> {
  return (await storedCourses(r)).map((course) => course.id);
}

/** A course with a valid certificate. */
const WITH_CERTIFICATE = { certificate: { type: "free" } };

/** A rig with three remote courses, of which only the first is in a file. */
export async function rigForPrune(): Promise<Rig> {
  const r = await rigWith(
    numberedCourse(1),
    numberedCourse(2, WITH_CERTIFICATE),
    numberedCourse(3),
  );
  await r.write("courses/a.json", numberedCourse(1));
  return r;
}
