/**
 * Kills a push at random moments and undoes it each time. Every course must be as before, or must be named as
 * uncertain. `npm run kill:push -- [--rounds 50] [--courses 2000] [--seed n]` runs the built program.
 */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs, promisify } from "node:util";

const PROGRAM = fileURLToPath(new URL("../../bin/catalog.js", import.meta.url));
const PROVIDER = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";
const ROUNDS = 50;
const COURSES = 2000;
/** Of each group of so many courses, the push deletes one, creates one, and changes half. */
const RATIO = 10;
/** The service chooses these fields. */
const CHOSEN = ["slug", "approval_status", "last_fetched_at", "schema_version"];

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: String(ROUNDS) },
    courses: { type: "string", default: String(COURSES) },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "catalog-kill-push-"));
const stateFolder = join(folder, "state/catalog/history");
let random = Number(values.seed);
try {
  process.exitCode = await main(Number(values.rounds), Number(values.courses));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function main(rounds, count) {
  await writeFiles(count);
  const sandbox = await startSandbox();
  const counts = { rounds: 0, killed: 0, written: 0, unknown: 0 };
  const faults = [];
  try {
    const before = await snapshot(sandbox);
    const duration = await pushUntilKilled(sandbox, Number.POSITIVE_INFINITY);
    faults.push(...(await undoAndCompare(sandbox, before, counts)));
    counts.written = 0;
    for (; counts.rounds < rounds && faults.length === 0; counts.rounds++) {
      await pushUntilKilled(sandbox, nextRandom() * duration);
      counts.killed += 1;
      // Requests in flight arrive after the push was killed.
      await sleep(100);
      faults.push(...(await undoAndCompare(sandbox, before, counts)));
    }
  } finally {
    sandbox.child.kill();
  }
  const lines = [
    `rounds                  ${counts.rounds} (seed ${values.seed}, ${count} courses)`,
    `writes recorded         ${counts.written}`,
    `without a known result  ${counts.unknown}`,
    `lost, wrong or unnamed  ${faults.length}`,
    ...faults.slice(0, 20).map((fault) => `FAULT: ${fault}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** A seed with the courses before, and files with the courses that the push makes of them. */
async function writeFiles(count) {
  const all = Array.from({ length: count }, (_, index) => course(index));
  const provider = { id: PROVIDER, name: "Example Academy", slug: "example-academy" };
  const providers = [{ ...provider, url: "https://academy.example" }];
  const key = "sandbox.0123456789abcdef";
  const seed = { users: [{ key, providers, courses: all }] };
  await writeFile(join(folder, "seed.json"), JSON.stringify(seed));
  const kept = all.filter((_, index) => index % RATIO !== 0);
  const changed = kept.map((each, index) =>
    index % 2 === 0 ? each : { ...each, name: `${each.name}, new`, level: ["beginner"] },
  );
  const created = Array.from({ length: Math.ceil(count / RATIO) }, (_, index) =>
    course(count + index),
  );
  await mkdir(join(folder, "courses"));
  await writeFile(join(folder, "courses/all.json"), JSON.stringify([...changed, ...created]));
}

function course(index) {
  return {
    id: `30000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    name: `Course ${index}`,
    url: `https://academy.example/${index}`,
    short_description: "Short.",
    long_description: "A long text. ".repeat(20),
    audio: ["en"],
    provider_id: PROVIDER,
    pace: "self_paced",
    prices: [{ type: "single_course", price: String(index), currency: "EUR" }],
  };
}

async function startSandbox() {
  const words = [PROGRAM, "sandbox", "--port", "0", "--seed", join(folder, "seed.json")];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  await new Promise((resolve, reject) => {
    child.once("close", () => reject(new Error("the sandbox ended")));
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (/CATALOG_API_KEY=.*\n/.test(text)) resolve();
    });
  });
  const exported = [...text.matchAll(/^ {2}export (\w+)=(.*)$/gm)];
  const variables = Object.fromEntries(exported.map(([, name, value]) => [name, value]));
  const own = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), PATH: process.env.PATH };
  return { child, environment: { ...own, ...variables } };
}

/** Pushes, and kills the program after some milliseconds. @returns how long the program ran */
async function pushUntilKilled({ environment: env }, milliseconds) {
  const words = ["courses", "push", "courses", "--prune", "--yes", "--max-deletes", "100%", "-q"];
  const start = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: folder, env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  if (Number.isFinite(milliseconds)) {
    const stop = new AbortController();
    const timer = sleep(milliseconds, undefined, { signal: stop.signal }).then(
      () => child.kill("SIGKILL"),
      () => undefined,
    );
    await ended;
    stop.abort();
    await timer;
  }
  await ended;
  return performance.now() - start;
}

/** Undoes the run, if it changed the catalog. @returns what is wrong afterwards */
async function undoAndCompare(sandbox, before, counts) {
  const names = await readdir(stateFolder).catch(() => []);
  const faults = [];
  if (names.length > 1) faults.push(`${names.length} records`);
  if (names[0] !== undefined) {
    const file = join(stateFolder, names[0]);
    const writes = readWrites(await readFile(file, "utf8"));
    const unknown = writes.filter(({ status }) => status === undefined);
    counts.written += writes.length;
    counts.unknown += unknown.length;
    const words = [PROGRAM, "undo", names[0].replace(/\.ndjson$/, ""), "--yes"];
    const options = { cwd: folder, env: sandbox.environment, maxBuffer: 2 ** 28 };
    const { stderr } = await run(process.execPath, words, options).catch((error) => {
      faults.push(`undo ended with ${error.code}: ${String(error.stderr).slice(0, 500)}`);
      return error;
    });
    for (const { id } of unknown) {
      const isNamed = stderr
        .split("\n")
        .some((line) => /^warning:/.test(line) && line.includes(id));
      if (!isNamed) faults.push(`the unknown fate of ${id} is not reported`);
    }
  }
  await rm(stateFolder, { recursive: true, force: true });
  const after = await snapshot(sandbox);
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    if (!isDeepStrictEqual(before.get(id), after.get(id))) faults.push(`${id} is not as before`);
  }
  return faults;
}

function readWrites(text) {
  const lines = text.split("\n").slice(1, -1);
  const writes = new Map();
  for (const { write, ...line } of lines.map((each) => JSON.parse(each))) {
    // If the run ended before the signal, the last line of its record has counts.
    if (write === undefined) continue;
    writes.set(write, { ...writes.get(write), ...line });
  }
  return [...writes.values()];
}

/** Every course by its id, without the fields that the service chooses. */
async function snapshot({ environment }) {
  const courses = new Map();
  for (let offset = 0; ; offset += 100) {
    const url = `${environment.CATALOG_BASE_URL}/developer/v1/courses?limit=100&offset=${offset}`;
    const answer = await fetch(url, { headers: { "x-api-key": environment.CATALOG_API_KEY } });
    const page = await answer.json();
    for (const each of page) {
      const entries = Object.entries(each).filter(([name]) => !CHOSEN.includes(name));
      courses.set(each.id, Object.fromEntries(entries));
    }
    if (page.length < 100) return courses;
  }
}

/** A linear congruential generator, so that the same seed gives the same moments. */
function nextRandom() {
  random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
  return random / 2 ** 31;
}
