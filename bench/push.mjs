/** `push` of new and of unchanged courses, beside what the service's own latency makes of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timed } from "./command.mjs";
import { writeCourses } from "./courses.mjs";
import { paired } from "./paired.mjs";
import { startSandbox } from "./sandbox.mjs";

const PROGRAM = fileURLToPath(new URL("../bin/catalog.js", import.meta.url));
const SERVICE = fileURLToPath(new URL("./service.mjs", import.meta.url));
const LATENCY = 50;
const CONCURRENCY = 16;
const NEW = 2_000;
const UNCHANGED = 10_000;
const PAGE = 100;
const ROUNDS = 5;

/** Both serve in a process of their own. */
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

/** Against a service that does nothing but wait, beside what that leaves no way around. */
async function created(folder, courses) {
  const ideal = (NEW / CONCURRENCY) * LATENCY;
  const service = await startService();
  try {
    return await paired({
      title: `push of ${NEW} new courses, ${LATENCY} ms a request, concurrency ${CONCURRENCY}`,
      rounds: ROUNDS,
      warmUp: 1,
      baseline: [
        `check of the files, and ${NEW} / ${CONCURRENCY} × ${LATENCY} ms`,
        () => program(folder, ["check", courses], service.environment) + ideal,
      ],
      candidates: [["catalog courses push", () => push(folder, courses, service.environment)]],
    });
  } finally {
    service.stop();
  }
}

async function startService() {
  const child = spawn(process.execPath, [SERVICE, String(LATENCY)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [address] = await once(child.stdout.setEncoding("utf8"), "data");
  return {
    environment: { CATALOG_BASE_URL: address.trim(), CATALOG_API_KEY: "bench.key" },
    stop: () => child.kill(),
  };
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
