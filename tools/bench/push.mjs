/** Measures `push` of new and of unchanged courses, compared with the time that the latency of the service allows. */
import { join } from "node:path";
import { requireOutput } from "./command.mjs";
import { compare } from "./compare.mjs";
import { writeCourses } from "./courses.mjs";
import { PAGE } from "./curl.mjs";
import { PROGRAM, plainEnvironment, timeCatalog } from "./program.mjs";
import { withService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const LATENCIES = [0, 50];
const CONCURRENCY = 16;
const NEW = 2_000;
const UNCHANGED = 10_000;
/** The number of lessons in the files of `writeCourses`. */
const LESSONS = 12;

const PUSH = ["courses", "push", "--concurrency", String(CONCURRENCY)];

/** Measures with a service that only waits. */
export async function run({ rounds } = {}) {
  return await withTemporaryFolder(async (folder) => {
    const results = [];
    for (const [name, measure, count] of [
      ["new", created, NEW],
      ["known", unchanged, UNCHANGED],
    ]) {
      await writeCourses(join(folder, name), count);
      for (const latency of LATENCIES) results.push(await measure(folder, name, latency, rounds));
    }
    return results;
  });
}

async function created(folder, courses, latency, rounds) {
  return await withService({ latency }, async (environment) => {
    const place = { folder, environment };
    mustPush(NEW, "create", courses, place);
    const ideal = (NEW / CONCURRENCY) * latency;
    const check = () => timeCatalog(["courses", "check", courses], place);
    return await compare({
      title: `push of ${NEW} new courses, ${latency} ms a request, concurrency ${CONCURRENCY}`,
      rounds,
      warmUp: 1,
      baseline:
        ideal === 0
          ? ["check of the files alone", check]
          : [`${NEW} / ${CONCURRENCY} × ${latency} ms, and nothing else`, () => ideal],
      candidates: [["catalog courses push", () => timeCatalog([...PUSH, courses], place)]],
    });
  });
}

async function unchanged(folder, courses, latency, rounds) {
  const service = { latency, courses: UNCHANGED, lessons: LESSONS };
  return await withService(service, async (environment) => {
    const place = { folder, environment };
    mustPush(UNCHANGED, "unchanged", courses, place);
    const pages = Math.ceil((UNCHANGED + 1) / PAGE);
    const listing = Math.ceil(pages / CONCURRENCY) * latency;
    const requests = listing === 0 ? "" : `, and ${pages} pages / ${CONCURRENCY} × ${latency} ms`;
    return await compare({
      title: `push of ${UNCHANGED} unchanged courses, ${latency} ms a request, concurrency ${CONCURRENCY}`,
      rounds,
      warmUp: 1,
      baseline: [
        `check of the files alone${requests}`,
        () => timeCatalog(["courses", "check", courses], place) + listing,
      ],
      candidates: [["catalog courses push", () => timeCatalog([...PUSH, courses], place)]],
    });
  });
}

/** Checks that the push makes the measured change to each course. */
function mustPush(count, action, courses, { folder, environment }) {
  const words = [PROGRAM, ...PUSH, "-o", "ndjson", courses];
  const options = { cwd: folder, env: plainEnvironment(folder, environment) };
  requireOutput(count, `"action":"${action}"`, folder, process.execPath, words, options);
}
