/**
 * Measures a sandbox with many clients at once, and checks every response: `npm run bench load`, or with other
 * numbers `node tools/bench/load.mjs --seconds 2 --clients 16`.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LoadClient } from "./load-client.mjs";
import { startSandbox } from "./sandbox.mjs";
import { tableText } from "./table.mjs";

const FIGURES = ["count", "p50", "p95", "p99", "max"];

/** Milliseconds between two measurements of the memory. */
const LOOKS = 100;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "30" },
      clients: { type: "string", default: "64" },
    },
  });
  const results = await run({ seconds: Number(values.seconds), clients: Number(values.clients) });
  for (const result of results) process.stdout.write(`${tableText(result)}\n`);
}

/** @throws Error if a response is wrong, or the sandbox ends */
export async function run({ seconds = 30, clients = 64 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "catalog-bench-"));
  const sandbox = await startSandbox(folder, ["--data", "load.data"]);
  try {
    const memory = { start: megabytesOf(sandbox.process), peak: 0, end: 0 };
    const looking = setInterval(() => {
      memory.peak = Math.max(memory.peak, megabytesOf(sandbox.process));
    }, LOOKS);
    const times = new Map();
    const begun = performance.now();
    const end = begun + seconds * 1000;
    const loadClients = Array.from({ length: clients }, (_, number) => {
      return new LoadClient(sandbox.environment, number, times);
    });
    await Promise.all(loadClients.map((client) => client.runUntil(end)));
    const elapsed = (performance.now() - begun) / 1000;
    clearInterval(looking);
    memory.end = megabytesOf(sandbox.process);
    return resultsOf(times, memory, elapsed, clients);
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function resultsOf(times, memory, elapsed, clients) {
  const all = [...times.values()].flat();
  const rate = Math.round(all.length / elapsed);
  const rows = [...times].map(([name, measured]) => rowOf(name, measured));
  const { start, peak, end } = memory;
  return [
    {
      title: `${clients} clients for ${elapsed.toFixed(0)} s, every answer right; ${rate} requests a second`,
      unit: "ms",
      figures: FIGURES,
      rows: [...rows, rowOf("all", all)],
    },
    {
      title: "memory of the sandbox",
      unit: "MB",
      figures: ["start", "peak", "end"],
      rows: [{ name: "resident", start, peak, end }],
    },
  ];
}

function rowOf(name, times) {
  const sorted = Float64Array.from(times).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return {
    name,
    count: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
  };
}

/** The resident memory of a process; NaN where the system does not report it. */
function megabytesOf(id) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, "utf8"));
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
