/**
 * Kills a sandbox with `--data` again and again during changes, and checks that the next sandbox has every
 * acknowledged change. `npm run kill -- [--rounds 1000] [--seed n] [--keep]` runs the built program.
 *
 * Each writer changes its courses one after the other. So each course has at most two possible states: the
 * acknowledged state and the requested state. A reader checks this while the sandbox runs.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PROGRAM = fileURLToPath(new URL("../../bin/catalog.js", import.meta.url));
const PROVIDER = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";
const WRITERS = 6;
const COURSES_PER_WRITER = 15;
/** The longest time of writing before a kill, in milliseconds. */
const LONGEST_ROUND = 400;
/** One of so many sandboxes is killed before it serves. */
const EARLY_KILLS = 8;
/** One of so many changes is large. */
const LARGE_WRITES = 25;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    keep: { type: "boolean", default: false },
  },
});
process.exitCode = await main(Number(values.rounds), Number(values.seed));

async function main(rounds, seed) {
  const folder = mkdtempSync(join(tmpdir(), "catalog-kill-"));
  const file = join(folder, "sandbox.data");
  const random = randomFrom(seed);
  const run = { random, versions: 0, acknowledged: 0, unanswered: 0, early: 0, faults: [] };
  const courses = Array.from({ length: WRITERS * COURSES_PER_WRITER }, (_, index) => ({
    index,
    id: `20000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    /** The acknowledged name, then the requested one; undefined if the course does not exist. */
    states: [undefined],
  }));
  const start = performance.now();
  let round = 0;
  for (; round <= rounds && run.faults.length === 0; round++) {
    if (round > 0 && run.random(EARLY_KILLS) === 0) {
      run.early += 1;
      const early = startProcess(file);
      await sleep(run.random(300));
      await early.kill("SIGKILL");
    }
    const sandbox = await serve(file);
    if (sandbox.error !== undefined) {
      run.faults.push(`the file was rejected: ${sandbox.error}`);
      break;
    }
    await compare(sandbox, courses, run);
    // The last round only compares.
    if (round === rounds) await sandbox.kill("SIGTERM");
    else await writeUntilKilled(sandbox, courses, run);
  }
  const lines = [
    `rounds                 ${round - 1} (seed ${seed}), and ${run.early} kills before it served`,
    `writes acknowledged    ${run.acknowledged}`,
    `lost or wrong          ${run.faults.length}`,
    `writes not answered    ${run.unanswered}`,
    `time                   ${((performance.now() - start) / 1000).toFixed(0)} s`,
    ...run.faults.slice(0, 20).map((fault) => `FAULT: ${fault}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  if (run.faults.length === 0 && !values.keep) rmSync(folder, { recursive: true });
  else process.stdout.write(`The file is ${file}.\n`);
  return run.faults.length === 0 ? 0 : 1;
}

function startProcess(file) {
  const words = [PROGRAM, "sandbox", "--port", "0", "--data", file];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const kill = async (signal) => {
    child.kill(signal);
    await ended;
  };
  return { child, ended, kill };
}

/** Starts a sandbox and waits until it serves. @returns how to call and kill it, or its error */
async function serve(file) {
  const { child, ended, kill } = startProcess(file);
  let out = "";
  let error = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    error += text;
  });
  const serves = new Promise((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
      if (/CATALOG_API_KEY=\S+\n/.test(out)) resolve(true);
    });
  });
  if ((await Promise.race([serves, ended])) !== true) return { error: error.trim() };
  const [, baseUrl] = /CATALOG_BASE_URL=(\S+)\n/.exec(out);
  const [, key] = /CATALOG_API_KEY=(\S+)\n/.exec(out);
  /** Sends one request. @returns undefined without a complete response */
  const call = async (method, query, body) => {
    const headers = { "x-api-key": key, ...(body && { "content-type": "application/json" }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(`${baseUrl}/developer/v1/courses${query}`, init);
      return { status: response.status, text: await response.text() };
    } catch {
      return undefined;
    }
  };
  return { call, kill };
}

/** Checks that each course is in a possible state, in which it stays from now on. */
async function compare({ call }, courses, { faults }) {
  const names = new Map();
  for (let offset = 0, size = 100; size === 100; offset += 100) {
    const page = JSON.parse((await call("GET", `?limit=100&offset=${offset}`)).text);
    size = page.length;
    for (const { id, name, long_description } of page) {
      names.set(id, name);
      if (!long_description.startsWith(name)) faults.push(`course ${id} is mixed up`);
    }
  }
  for (const course of courses) {
    const name = names.get(course.id);
    names.delete(course.id);
    if (!course.states.includes(name)) {
      const expected = course.states.map((state) => state ?? "none").join(" or ");
      faults.push(`course ${course.index} is ${name ?? "none"} and should be ${expected}`);
    }
    course.states = [name];
  }
  for (const id of names.keys()) faults.push(`course ${id} was never created`);
}

async function writeUntilKilled(sandbox, courses, run) {
  const work = Array.from({ length: WRITERS }, (_, writer) =>
    write(
      sandbox,
      courses.filter(({ index }) => index % WRITERS === writer),
      run,
    ),
  );
  work.push(read(sandbox, courses, run));
  await sleep(run.random(LONGEST_ROUND));
  await sandbox.kill("SIGKILL");
  await Promise.all(work);
}

/** Changes one course after the other until the sandbox is gone. */
async function write({ call }, courses, run) {
  for (;;) {
    const course = courses[run.random(courses.length)];
    const exists = course.states[0] !== undefined;
    const method = exists ? (run.random(4) === 0 ? "DELETE" : "PATCH") : "POST";
    const body = method === "DELETE" ? undefined : newVersion(course, run);
    course.states = [course.states[0], body?.name];
    const query = method === "POST" ? "" : `?id=${course.id}`;
    const response = await call(method, query, body);
    if (response === undefined) {
      run.unanswered += 1;
      return;
    }
    if (response.status !== (method === "POST" ? 201 : 204)) {
      run.faults.push(`${method} of course ${course.index} failed with ${response.status}`);
      return;
    }
    run.acknowledged += 1;
    course.states = [body?.name];
  }
}

/** The name identifies the version, and the description repeats it. */
function newVersion({ index, id }, run) {
  run.versions += 1;
  const { random } = run;
  const name = `${index} v${run.versions}`;
  const repeats = random(LARGE_WRITES) === 0 ? 2000 + random(50_000) : random(60) + 1;
  return {
    id,
    name,
    url: "https://academy.example/killed",
    short_description: "Written by a sandbox that is killed.",
    long_description: `${name} `.repeat(repeats),
    audio: ["en"],
    provider_id: PROVIDER,
    pace: "self_paced",
  };
}

/** Reads one course after the other: a state that was shown must not disappear. */
async function read({ call }, courses, run) {
  for (;;) {
    const course = courses[run.random(courses.length)];
    const before = course.states;
    const response = await call("GET", `?id=${course.id}`);
    if (response === undefined) return;
    const [shown] = JSON.parse(response.text);
    // Conclusive only if the course was not changed again in the meantime.
    if (course.states !== before) continue;
    const position = before.indexOf(shown?.name);
    if (position < 0) run.faults.push(`course ${course.index} was shown as ${shown?.name}`);
    // The writer replaces this array when its request is answered.
    if (position > 0) before.splice(0, position);
  }
}

/** Whole numbers below a bound that look random and are the same for a seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
