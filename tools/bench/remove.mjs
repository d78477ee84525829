/** Measures `rm` of many courses, compared with the time that the latency of the service allows. */
import { timeCommand } from "./command.mjs";
import { compare } from "./compare.mjs";
import { numberedId } from "./courses.mjs";
import { PAGE } from "./curl.mjs";
import { PROGRAM, plainEnvironment } from "./program.mjs";
import { withService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const COURSES = 2_000;
const LATENCY = 50;
/** The default concurrency of the command. */
const CONCURRENCY = 4;
/** A round takes half a minute, almost all of it latency. */
const ROUNDS = 3;

/** Measures the command without a terminal: it reads the listing once, then sends one request per course. */
export async function run({ rounds = ROUNDS } = {}) {
  return await withTemporaryFolder(async (folder) => {
    return await withService({ courses: COURSES, latency: LATENCY }, async (environment) => {
      const options = {
        env: plainEnvironment(folder, environment),
        input: Array.from({ length: COURSES }, (_, index) => `${numberedId(index)}\n`).join(""),
      };
      const remove = () =>
        timeCommand(process.execPath, [PROGRAM, "courses", "rm", "-", "--yes"], options);
      const requests = COURSES / PAGE + COURSES;
      return await compare({
        title: `rm of ${COURSES} ids, ${LATENCY} ms a request, concurrency ${CONCURRENCY}`,
        rounds,
        warmUp: 0,
        baseline: [
          `${requests} requests / ${CONCURRENCY} × ${LATENCY} ms, and nothing else`,
          () => (requests / CONCURRENCY) * LATENCY,
        ],
        candidates: [["catalog courses rm - --yes", remove]],
      });
    });
  });
}
