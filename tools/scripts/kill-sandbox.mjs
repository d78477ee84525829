/**
 * Kills a sandbox that keeps its state in a file, again and again in the midst of writing, and sees
 * that the next one has every write that was acknowledged: `npm run kill`, or
 * `node scripts/kill-sandbox.mjs [--rounds 1000] [--seed n] [--keep]`. It runs the built program.
 *
 * Each writer has courses of its own and changes one after the other, so that for each course it is
 * known what must be there: what was acknowledged last, or what was asked for after it. A reader
 * looks on; what it was shown counts as acknowledged.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Course, call, read, write } from "./kill-writers.mjs";

const PROGRAM = fileURLToPath(new URL("../../bin/catalog.js", import.meta.url));
const WRITERS = 6;
const COURSES_EACH = 15;
/** Milliseconds of writing before a kill, at most. */
const LONGEST = 120;
/** One kill of so many meets a sandbox that has not begun to serve. */
const EARLY = 8;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    keep: { type: "boolean", default: false },
  },
});
process.exitCode = await main(Number(values.rounds), Number(values.seed));

async function main(rounds, seed) {
  if (!existsSync(fileURLToPath(new URL("../../dist/main.cjs", import.meta.url)))) {
    process.stderr.write("kill: dist/ is missing: `npm run build` first\n");
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "catalog-kill-"));
  const file = join(folder, "sandbox.data");
  const random = randomFrom(seed);
  const courses = Array.from({ length: WRITERS * COURSES_EACH }, (_, index) => new Course(index));
  const count = { acknowledged: 0, unanswered: 0, kept: 0, seen: 0, torn: 0, early: 0 };
  const faults = [];
  const begun = performance.now();
  let done = 0;
  for (; done < rounds && faults.length === 0; done++) {
    if (done > 0 && random(EARLY) === 0) {
      count.early += 1;
      await killEarly(file, random);
    }
    const sandbox = await started(file);
    if (sandbox.refusal !== undefined) {
      faults.push(`the file was refused: ${sandbox.refusal}`);
      break;
    }
    faults.push(...(await compare(sandbox, courses, count)));
    await writeUntilKilled(sandbox, courses, random, count, faults);
    if (endsTorn(file)) count.torn += 1;
  }
  if (faults.length === 0) {
    const last = await started(file);
    if (last.refusal !== undefined) faults.push(`the file was refused: ${last.refusal}`);
    else {
      faults.push(...(await compare(last, courses, count)));
      await last.kill("SIGTERM");
    }
  }
  report(done, seed, count, faults, (performance.now() - begun) / 1000);
  if (faults.length === 0 && !values.keep) rmSync(folder, { recursive: true });
  else process.stdout.write(`The file is ${file}.\n`);
  return faults.length === 0 ? 0 : 1;
}

function report(rounds, seed, count, faults, seconds) {
  const lines = [
    `rounds                 ${rounds} (seed ${seed}), and ${count.early} kills before it served`,
    `writes acknowledged    ${count.acknowledged}`,
    `lost or wrong          ${faults.length}`,
    `writes not answered    ${count.unanswered}, of which ${count.kept} were kept`,
    `reads of what was new  ${count.seen}`,
    `torn tails met         ${count.torn}`,
    `time                   ${seconds.toFixed(0)} s`,
    ...faults.slice(0, 20).map((fault) => `FAULT: ${fault}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Starts a sandbox on the file. @returns what leads to it, or how it refused */
async function started(file) {
  const words = [PROGRAM, "sandbox", "--port", "0", "--data", file];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let out = "";
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  const serves = new Promise((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
      if (/CATALOG_API_KEY=\S+\n/.test(out)) resolve(true);
    });
  });
  if ((await Promise.race([serves, ended])) !== true) return { refusal: err.trim() };
  const [, port] = /CATALOG_BASE_URL=\S+:(\d+)\n/.exec(out);
  const [, key] = /CATALOG_API_KEY=(\S+)\n/.exec(out);
  const kill = async (signal) => {
    child.kill(signal);
    await ended;
  };
  return { port: Number(port), key, kill };
}

/** Kills a sandbox in the midst of reading its file, or of writing it anew. */
async function killEarly(file, random) {
  const words = [PROGRAM, "sandbox", "--port", "0", "--data", file];
  const child = spawn(process.execPath, words, { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await sleep(random(300));
  child.kill("SIGKILL");
  await ended;
}

/** Sees that all is there that must be, and takes what is there for what must be from now on. */
async function compare(sandbox, courses, count) {
  const faults = [];
  const shown = new Map();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const orders = new Map();
  for (let offset = 0, size = 100; size === 100; offset += 100) {
    const answer = await call(sandbox, agent, "GET", `?limit=100&offset=${offset}`);
    if (answer?.status !== 200) return [`the list was answered with ${answer?.status}`];
    const page = JSON.parse(answer.text);
    size = page.length;
    for (const course of page) {
      shown.set(course.id, course);
      const index = Number(course.id.slice(-12));
      const writer = index % WRITERS;
      orders.set(writer, [...(orders.get(writer) ?? []), index]);
    }
  }
  agent.destroy();
  for (const course of courses) {
    const now = shown.get(course.id);
    shown.delete(course.id);
    const place = course.placeOf(now);
    if (place < 0) {
      const states = course.states.map((state) => state?.name ?? "none").join(" or ");
      faults.push(`course ${course.index} is ${now?.name ?? "none"} and should be ${states}`);
    }
    if (place > 0) count.kept += place;
    if (course.slug !== undefined && now !== undefined && now.slug !== course.slug) {
      faults.push(`course ${course.index} has another slug`);
    }
    course.states = [now];
    course.slug = now?.slug;
  }
  for (const id of shown.keys()) faults.push(`there is a course ${id} that nobody made`);
  faults.push(...misplaced(courses, orders));
  return faults;
}

/** The courses of a writer stand in the order in which it made them. */
function misplaced(courses, orders) {
  return [...orders.values()].flatMap((order) =>
    order
      .filter((index, at) => at > 0 && courses[order[at - 1]].made > courses[index].made)
      .map((index) => `course ${index} stands in the wrong place`),
  );
}

/** Lets the writers write for a moment, and kills the sandbox under them. */
async function writeUntilKilled(sandbox, courses, random, count, faults) {
  const time = random(LONGEST);
  const run = { over: false };
  const agents = Array.from({ length: WRITERS + 1 }, () => {
    return new Agent({ keepAlive: true, maxSockets: 1 });
  });
  const working = agents.map((agent, number) =>
    number === WRITERS
      ? read(sandbox, agent, courses, random, run, count, faults)
      : write(
          sandbox,
          agent,
          courses.filter(({ index }) => index % WRITERS === number),
          {
            random,
            run,
            count,
            faults,
          },
        ),
  );
  await sleep(time);
  await sandbox.kill("SIGKILL");
  run.over = true;
  await Promise.all(working);
  for (const agent of agents) agent.destroy();
}

/** Whether the file ends within a line. */
function endsTorn(file) {
  if (!existsSync(file)) return false;
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, size - 1);
    return size > 0 && last[0] !== 10;
  } finally {
    closeSync(descriptor);
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
