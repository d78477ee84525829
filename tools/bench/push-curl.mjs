/** `push` of new courses, beside `curl` with the same bodies, many at once and in a loop. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { has } from "./command.mjs";
import { writeBodies, writeCourses } from "./courses.mjs";
import { createAtOnce, createInLoop, timedShell } from "./curl.mjs";
import { inFolder } from "./folder.mjs";
import { paired, skipped } from "./paired.mjs";
import { timedCatalog } from "./program.mjs";
import { atService } from "./service.mjs";

const LATENCY = 50;
const CONCURRENCY = 16;
const MANY = 2_000;
/** One after the other takes long: few of both are enough. */
const FEW = 200;
const FEW_ROUNDS = 2;

/** Each `curl` is a process of its own, and finds its body written already. */
export async function run({ rounds } = {}) {
  const title = (count, how) => {
    return `creating ${count} courses, ${LATENCY} ms a request, beside curl ${how}`;
  };
  const missing = ["curl", "xargs"].find((program) => !has(program));
  if (missing !== undefined) return skipped(title(MANY, "by hand"), missing);
  return [
    await beside(MANY, {
      title: title(MANY, `${CONCURRENCY} at once`),
      rounds,
      baseline: [`xargs -P ${CONCURRENCY} curl`, createAtOnce(CONCURRENCY)],
    }),
    await beside(FEW, {
      title: title(FEW, "in a loop"),
      rounds: rounds ?? FEW_ROUNDS,
      baseline: ["curl in a loop", createInLoop()],
    }),
  ];
}

async function beside(count, { title, rounds, baseline: [name, lines] }) {
  return await inFolder(async (folder) => {
    await writeCourses(join(folder, "courses"), count);
    const bodies = await writeBodies(join(folder, "bodies"), count);
    await writeFile(join(folder, "bodies.txt"), bodies.map((path) => `@${path}\n`).join(""));
    const words = ["courses", "push", "--concurrency", String(CONCURRENCY), "courses"];
    return await atService({ latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      return await paired({
        title,
        rounds,
        warmUp: 1,
        baseline: [name, () => timedShell(lines, place)],
        candidates: [
          [`catalog courses push, concurrency ${CONCURRENCY}`, () => timedCatalog(words, place)],
        ],
      });
    });
  });
}
