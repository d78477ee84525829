/** Measures `push` of new courses, compared with `curl` with the same bodies, in parallel and in a loop. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInstalled } from "./command.mjs";
import { compare, skipped } from "./compare.mjs";
import { writeBodies, writeCourses } from "./courses.mjs";
import { createInLoop, createInParallel, timeShell } from "./curl.mjs";
import { timeCatalog } from "./program.mjs";
import { withService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const LATENCY = 50;
const CONCURRENCY = 16;
const MANY = 2_000;
/** A sequential loop is slow, so few courses are enough. */
const FEW = 200;
const FEW_ROUNDS = 2;

/** Each `curl` is a separate process, and its body has already been written to a file. */
export async function run({ rounds } = {}) {
  const title = (count, how) => {
    return `creating ${count} courses, ${LATENCY} ms a request, compared with curl ${how}`;
  };
  const missing = ["curl", "xargs"].find((program) => !isInstalled(program));
  if (missing !== undefined) return skipped(title(MANY, "by hand"), missing);
  return [
    await compareWithCurl(MANY, {
      title: title(MANY, `${CONCURRENCY} at once`),
      rounds,
      baseline: [`xargs -P ${CONCURRENCY} curl`, createInParallel(CONCURRENCY)],
    }),
    await compareWithCurl(FEW, {
      title: title(FEW, "in a loop"),
      rounds: rounds ?? FEW_ROUNDS,
      baseline: ["curl in a loop", createInLoop()],
    }),
  ];
}

async function compareWithCurl(count, { title, rounds, baseline: [name, lines] }) {
  return await withTemporaryFolder(async (folder) => {
    await writeCourses(join(folder, "courses"), count);
    const bodies = await writeBodies(join(folder, "bodies"), count);
    await writeFile(join(folder, "bodies.txt"), bodies.map((path) => `@${path}\n`).join(""));
    const words = ["courses", "push", "--concurrency", String(CONCURRENCY), "courses"];
    return await withService({ latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      return await compare({
        title,
        rounds,
        warmUp: 1,
        baseline: [name, () => timeShell(lines, place)],
        candidates: [
          [`catalog courses push, concurrency ${CONCURRENCY}`, () => timeCatalog(words, place)],
        ],
      });
    });
  });
}
