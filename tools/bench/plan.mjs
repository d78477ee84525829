/** Measures a plan of 10,000 changed courses, written and applied, compared with the same push without a plan file. */
import { join } from "node:path";
import { compare } from "./compare.mjs";
import { writeCourses } from "./courses.mjs";
import { timeCatalog } from "./program.mjs";
import { withService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const LATENCIES = [0, 20];
const CONCURRENCY = 16;
const COURSES = 10_000;
/** The number of lessons in the files of `writeCourses`. */
const LESSONS = 12;
/** A round takes about a minute. */
const ROUNDS = 5;

/** Measures with a service that only waits, and ignores the changes. */
export async function run({ rounds = ROUNDS } = {}) {
  return await withTemporaryFolder(async (folder) => {
    await writeCourses(join(folder, "courses"), COURSES, { short_description: "New." });
    const results = [];
    for (const latency of LATENCIES) results.push(await measure(folder, latency, rounds));
    return results;
  });
}

async function measure(folder, latency, rounds) {
  const service = { latency, courses: COURSES, lessons: LESSONS };
  return await withService(service, async (environment) => {
    const place = { folder, environment };
    const time = (...words) =>
      timeCatalog(["courses", ...words, "--concurrency", String(CONCURRENCY)], place);
    return await compare({
      title: `update of ${COURSES} courses, ${latency} ms a request, concurrency ${CONCURRENCY}`,
      rounds,
      warmUp: 0,
      baseline: ["push", () => time("push", "courses")],
      candidates: [
        [
          "diff --out and push --plan",
          () => time("diff", "courses", "--out", "plan.json") + time("push", "--plan", "plan.json"),
        ],
      ],
    });
  });
}
