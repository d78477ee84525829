/** `push` of new and of unchanged courses, beside what the service's own latency makes of it. */
import { join } from "node:path";
import { mustShow } from "./command.mjs";
import { writeCourses } from "./courses.mjs";
import { PAGE } from "./curl.mjs";
import { inFolder } from "./folder.mjs";
import { paired } from "./paired.mjs";
import { PROGRAM, plainEnvironment, timedCatalog } from "./program.mjs";
import { atService } from "./service.mjs";

const LATENCIES = [0, 50];
const CONCURRENCY = 16;
const NEW = 2_000;
const UNCHANGED = 10_000;
/** As many as the files of `writeCourses` have. */
const LESSONS = 12;

const PUSH = ["courses", "push", "--concurrency", String(CONCURRENCY)];

/** Against a service that does nothing but wait. */
export async function run({ rounds } = {}) {
  return await inFolder(async (folder) => {
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
  return await atService({ latency }, async (environment) => {
    const place = { folder, environment };
    mustPush(NEW, "create", courses, place);
    const ideal = (NEW / CONCURRENCY) * latency;
    const check = () => timedCatalog(["courses", "check", courses], place);
    return await paired({
      title: `push of ${NEW} new courses, ${latency} ms a request, concurrency ${CONCURRENCY}`,
      rounds,
      warmUp: 1,
      baseline:
        ideal === 0
          ? ["check of the files alone", check]
          : [`${NEW} / ${CONCURRENCY} × ${latency} ms, and nothing else`, () => ideal],
      candidates: [["catalog courses push", () => timedCatalog([...PUSH, courses], place)]],
    });
  });
}

async function unchanged(folder, courses, latency, rounds) {
  const service = { latency, courses: UNCHANGED, lessons: LESSONS };
  return await atService(service, async (environment) => {
    const place = { folder, environment };
    mustPush(UNCHANGED, "unchanged", courses, place);
    const pages = Math.ceil((UNCHANGED + 1) / PAGE);
    const listing = Math.ceil(pages / CONCURRENCY) * latency;
    const beside = listing === 0 ? "" : `, and ${pages} pages / ${CONCURRENCY} × ${latency} ms`;
    return await paired({
      title: `push of ${UNCHANGED} unchanged courses, ${latency} ms a request, concurrency ${CONCURRENCY}`,
      rounds,
      warmUp: 1,
      baseline: [
        `check of the files alone${beside}`,
        () => timedCatalog(["courses", "check", courses], place) + listing,
      ],
      candidates: [["catalog courses push", () => timedCatalog([...PUSH, courses], place)]],
    });
  });
}

/** Makes sure that the push does to each course what is to be measured. */
function mustPush(count, action, courses, { folder, environment }) {
  const words = [PROGRAM, ...PUSH, "-o", "ndjson", courses];
  const options = { cwd: folder, env: plainEnvironment(folder, environment) };
  mustShow(count, `"action":"${action}"`, folder, process.execPath, words, options);
}
