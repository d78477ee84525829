/** `push` of new and of unchanged courses, beside what the service's own latency makes of it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timed } from "./command.mjs";
import { writeCourses } from "./courses.mjs";
import { paired } from "./paired.mjs";
import { startSandbox } from "./sandbox.mjs";

const PROGRAM = fileURLToPath(new URL("../bin/catalog.js", import.meta.url));
const LATENCY = 50;
const CONCURRENCY = 16;
const NEW = 2_000;
const UNCHANGED = 10_000;
const PAGE = 100;
const ROUNDS = 5;

/** Each push runs against a sandbox of its own, in a process of its own. */
export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "catalog-bench-"));
  try {
    const fresh = join(folder, "new");
    const known = join(folder, "known");
    await writeCourses(fresh, NEW);
    await writeCourses(known, UNCHANGED);
    return [await created(folder, fresh), await unchanged(folder, known)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function created(folder, courses) {
  const ideal = (NEW / CONCURRENCY) * LATENCY;
  return await paired({
    title: `push of ${NEW} new courses, ${LATENCY} ms a request, concurrency ${CONCURRENCY}`,
    rounds: ROUNDS,
    warmUp: 1,
    baseline: [`${NEW} / ${CONCURRENCY} × ${LATENCY} ms`, () => ideal],
    candidates: [
      [
        "catalog courses push",
        async () => {
          const sandbox = await startSandbox(folder, ["--latency", String(LATENCY)]);
          const time = push(folder, courses, sandbox.environment);
          await sandbox.stop();
          return time;
        },
      ],
    ],
  });
}

async function unchanged(folder, courses) {
  const sandbox = await startSandbox(folder, ["--latency", String(LATENCY), "--seed", courses]);
  try {
    const pages = Math.ceil((UNCHANGED + 1) / PAGE);
    const listing = Math.ceil(pages / CONCURRENCY) * LATENCY;
    return await paired({
      title: `push of ${UNCHANGED} unchanged courses, ${LATENCY} ms a request`,
      rounds: ROUNDS,
      warmUp: 1,
      baseline: [
        `check of the files, and ${pages} pages at once by ${CONCURRENCY}`,
        () => program(folder, ["check", courses], sandbox.environment) + listing,
      ],
      candidates: [["catalog courses push", () => push(folder, courses, sandbox.environment)]],
    });
  } finally {
    await sandbox.stop();
  }
}

function push(folder, courses, environment) {
  return program(folder, ["push", "--concurrency", String(CONCURRENCY), courses], environment);
}

function program(folder, words, environment) {
  return timed(process.execPath, [PROGRAM, "courses", ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
  });
}
