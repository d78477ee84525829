/**
 * Measures what hostile responses and files cost with a heap of 512 MB: peak memory, CPU time, and the longest time
 * for which `catalog` cannot notice Ctrl-C.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PROGRAM, plainEnvironment } from "./program.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const HEAP = 512;
const ID = "00000000-0000-4000-8000-000000000001";
const MEGABYTE = 1024 * 1024;
/** The size limits of a response and of a file. */
const [RESPONSE, FILE] = [64 * MEGABYTE, 48 * MEGABYTE];

const repeat = (head, piece, tail, size) =>
  head + piece.repeat(Math.floor((size - head.length - tail.length) / piece.length)) + tail;
const numbered = (count, piece) => Array.from({ length: count }, (_, n) => piece(n)).join(",");
const inCourse = (value) => [`[{"id":"${ID}","extra":`, value, "}]"];

const RESPONSES = {
  "64 MB of empty lists": repeat("[", "[],", "[]]", RESPONSE),
  "64 MB of a text": repeat(`[{"id":"${ID}","name":"`, "x", '"}]', RESPONSE),
  "64 MB of escapes": repeat(`[{"id":"${ID}","name":"`, "\\u202e", '"}]', RESPONSE),
  "64 MB of spaces": repeat("[", " ", "]", RESPONSE),
  "240,000 keys": inCourse(`{${numbered(240_000, (n) => `"k${n}":1`)}}`).join(""),
  "120,000 lists": inCourse(repeat("[", "[],", "[]]", 360_000)).join(""),
  "5 million levels": repeat("[", "[", "", 5_000_000),
};

const FILES = {
  "a.json: 2.4 million keys": `{${numbered(2_400_000, (n) => `"k${n}":1`)}}`,
  "a.json: 490,000 objects": repeat("[", "{},", "{}]", 1_470_000),
  "a.json: 48 MB of numbers": repeat("[", "1,", "1]", FILE),
  "a.json: 48 MB of a text": repeat('{"name":"', "x", '"}', FILE),
  "a.json: 200,001 equal keys": `{${'"name":1,'.repeat(200_000)}"name":1}`,
  "a.yaml: 48 MB of keys": numbered(4_000_000, (n) => `k${n}: 1\n`).replaceAll(",", ""),
  "a.yaml: 48 MB of a text": repeat('name: "', "x", '"\n', FILE),
  "a.yaml: 48 MB of aliases": repeat("- &a 1\n- [", "*a,", "1]\n", FILE),
  "a.csv: 48 MB of rows": repeat("name,url\n", "a,b\n", "", FILE),
};

const COMMANDS = {
  "ls --all": ["courses", "ls", "--all"],
  "ls --json": ["courses", "ls", "--json"],
  get: ["courses", "get", ID],
  "ls --provider": ["courses", "ls", "--provider", "x"],
  completion: ["__complete", "--", "courses", "get", ""],
  api: ["api", "GET", "developer/v1/courses", "-o", "yaml"],
};

/** Measures each case once. */
export async function run() {
  return await withTemporaryFolder(async (folder) => [
    await measureResponses(folder),
    await measureFiles(folder),
  ]);
}

const FIGURES = { unit: `exit code, MB, CPU seconds, longest pause in s; a heap of ${HEAP} MB` };
const result = (title, rows) => ({
  title,
  ...FIGURES,
  rows,
  figures: Object.keys(rows[0]).slice(1),
});

async function measureResponses(folder) {
  let body;
  const server = createServer((_, response) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    response.writeHead(200, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const environment = {
    CATALOG_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    CATALOG_API_KEY: "user.secret",
  };
  const rows = [];
  for (const [title, text] of Object.entries(RESPONSES)) {
    body = gzipSync(text);
    for (const [name, words] of Object.entries(COMMANDS)) {
      const measured = await measure(words, folder, environment);
      rows.push({ name: `${title}: ${name}`, ...measured });
    }
  }
  server.close();
  server.closeAllConnections();
  return result("hostile responses, compressed with gzip", rows);
}

async function measureFiles(folder) {
  const rows = [];
  for (const [title, text] of Object.entries(FILES)) {
    const place = join(folder, title.replace(/\W+/g, "-"));
    mkdirSync(place);
    writeFileSync(join(place, title.split(":")[0]), text);
    rows.push({ name: title, ...(await measure(["courses", "check", place], folder, {})) });
  }
  return result("hostile files: courses check", rows);
}

const HOOK = `const { readFileSync, writeFileSync } = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("exit", () => {
  const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
  const { user, system } = process.cpuUsage();
  const measured = { MB: peak / 1024, CPU: (user + system) / 1e6, pause: delay.max / 1e9 };
  writeFileSync(OUTPUT_FILE, JSON.stringify(measured));
});
`;

/** Runs the program to its end, and fails if it crashes. */
async function measure(words, folder, environment) {
  const [hook, outputFile] = [join(folder, "hook.cjs"), join(folder, "measured.json")];
  writeFileSync(
    hook,
    HOOK.replace("OUTPUT_FILE", () => JSON.stringify(outputFile)),
  );
  const options = [`--max-old-space-size=${HEAP}`, "--require", hook, PROGRAM, ...words];
  const child = spawn(process.execPath, options, {
    cwd: folder,
    env: plainEnvironment(folder, environment),
    stdio: "ignore",
  });
  const [code, signal] = await new Promise((resolve) => {
    child.on("exit", (...ended) => resolve(ended));
  });
  // A crash is also a result, without figures, because nothing was recorded.
  if (signal !== null) return { count: 134, MB: Number.NaN, CPU: Number.NaN, pause: Number.NaN };
  return { count: code, ...JSON.parse(readFileSync(outputFile, "utf8")) };
}
