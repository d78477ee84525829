/**
 * Runs docs/tutorial.md, command by command, and compares the output.
 *
 * node tools/scripts/tour.mjs            the packed package, installed globally, on every supported Node.js
 * node tools/scripts/tour.mjs <node...>  the packed package on these versions of Node.js; nothing is downloaded
 * node tools/scripts/tour.mjs --tree     the build in this folder, on the Node.js that runs this
 * node tools/scripts/tour.mjs --update   the same, and writes the output that differs into the tutorial
 * node tools/scripts/tour.mjs --binary   the executable in dist-binary/, with an otherwise empty search path
 */
import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { EXECUTABLE_FOLDER } from "./binary-test.mjs";
import { fetchNode, installGlobally, pack, ROOT } from "./packed.mjs";
import { linesShown, runOnTerminal } from "./terminal.mjs";
import { matchesTutorial, nameRuns, tourOf, withOutputs } from "./tour-text.mjs";

const VERSIONS = [20, 22, 24, 26];
/** The width of the tables in the tutorial. */
const COLUMNS = 80;
/** The longest part of an unexpected line that is shown: a line of a stack trace can contain half a bundle. */
const WIDEST = 300;

/** The steps that exit with 3. */
const FAILS = new Set(["catalog courses check courses"]);

const run = promisify(execFile);
const PAGE = join(ROOT, "docs/tutorial.md");
const tour = tourOf(await readFile(PAGE, "utf8"));
const scratch = await realpath(await mkdtemp(join(tmpdir(), "catalog-tour-")));
try {
  const words = process.argv.slice(2);
  if (words.includes("--binary")) await runTour(EXECUTABLE_FOLDER, "Executable");
  else if (words.includes("--tree")) await runTour(await treePath());
  else if (words.includes("--update")) await update(await runTour(await treePath()));
  else await runInstalled(words);
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function runInstalled(given) {
  const { path: tarball } = await pack(scratch);
  for (const program of given.length > 0 ? given : VERSIONS) {
    const node = typeof program === "number" ? await fetchNode(program, scratch) : program;
    const prefix = await newFolder();
    await runTour(await installGlobally(tarball, prefix, node));
  }
}

/** A search path on which `catalog` is the build in this folder. */
async function treePath() {
  const folder = await newFolder();
  const file = join(folder, "catalog");
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/catalog.js' "$@"\n`);
  await chmod(file, 0o755);
  return [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
}

async function newFolder() {
  return await mkdtemp(join(scratch, "folder-"));
}

/** Writes the output of steps into the tutorial. */
async function update(mismatches) {
  const outputs = tour.steps.map((_, at) => mismatches.find(({ index }) => index === at)?.output);
  await writeFile(PAGE, withOutputs(await readFile(PAGE, "utf8"), outputs));
}

/** Runs the tour in an empty folder, and prints the result. @returns the steps that differ */
async function runTour(path, name) {
  const folder = await newFolder();
  const home = join(folder, "home");
  await mkdir(home);
  const environment = { PATH: path, HOME: home };
  const subject = name ?? (await nodeVersion(environment));

  const { served, variables, stop } = await serve(folder, environment);
  let mismatches = matchesTutorial(tour.served, served, home)
    ? []
    : [{ line: tour.serve, shown: tour.served, actual: served }];
  try {
    mismatches = [...mismatches, ...(await follow(folder, { ...environment, ...variables }))];
  } finally {
    stop();
  }
  const commands = `${tour.steps.length + 1} commands of the tutorial`;
  if (mismatches.length === 0) {
    process.stdout.write(`${subject}: ${commands}, all as shown.\n`);
    return mismatches;
  }
  process.stdout.write(`${subject}: ${commands}, ${mismatches.length} differ.\n`);
  process.stdout.write(mismatches.map(describe).join(""));
  process.exitCode = 1;
  return mismatches;
}

async function nodeVersion(env) {
  const { stdout } = await run("node", ["--version"], { env });
  return `Node.js ${stdout.trim()}`;
}

/** Starts the sandbox as the tutorial does, but on a free port: its own may be in use. */
async function serve(folder, env) {
  const child = spawn("/bin/sh", ["-c", `exec ${tour.serve} --port 0`], { cwd: folder, env });
  let text = "";
  let messages = "";
  await new Promise((resolve, reject) => {
    // The last message is written when everything else is.
    const resolveAtEnd = () => messages.includes("Ctrl-C stops it") && resolve();
    child.once("error", reject);
    child.once("close", () => reject(new Error(`"${tour.serve}" ended:\n${messages}`)));
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      resolveAtEnd();
    });
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      messages += chunk;
      resolveAtEnd();
    });
  });
  const exported = [...text.matchAll(/^ {2}export (\w+)=(.*)$/gm)];
  return {
    served: `${text}${messages.trimEnd()}`.split("\n"),
    variables: Object.fromEntries(exported.map(([, name, value]) => [name, value])),
    stop: () => child.kill(),
  };
}

/** Runs the steps. @returns those whose output is not as the tutorial shows */
async function follow(folder, environment) {
  // The terminal itself needs programs that are not on the tour's search path.
  const lines = [`PATH='${environment.PATH}'`, ...tour.steps.map(({ line }) => line)];
  const [, ...ended] = await runOnTerminal(lines, {
    columns: COLUMNS,
    folder,
    environment: { ...environment, PATH: process.env.PATH },
  });
  const mismatches = [];
  const printed = tour.steps.map((_, index) => linesShown(ended[index]?.bytes ?? "", COLUMNS));
  const outputs = nameRuns(await Promise.all(printed));
  for (const [index, step] of tour.steps.entries()) {
    const { code = "none" } = ended[index] ?? {};
    const actual = outputs[index];
    const isShown =
      step.shown === undefined || matchesTutorial(step.shown, actual, environment.HOME);
    const matches = isShown && code === (FAILS.has(step.line) ? 3 : 0);
    if (!matches)
      mismatches.push({
        ...step,
        index,
        output: actual,
        actual: [...actual, `(exit code ${code})`],
      });
  }
  return mismatches;
}

function describe({ line, shown, actual }) {
  const expected = shown === undefined ? ["(success)"] : shown;
  return [
    `\n$ ${line.trimEnd()}`,
    ...expected.map((text) => `  tutorial  ${text}`),
    ...actual.map((text) => `  actual    ${text.slice(0, WIDEST)}`),
    "",
  ].join("\n");
}
