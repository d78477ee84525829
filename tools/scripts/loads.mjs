/**
 * Shows what each of a handful of commands loads: which of the program's own files, and which modules
 * of Node.js beyond those of an empty script. The built program is looked at: `npm run build` first.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM, plainEnvironment } from "../bench/program.mjs";
import { startSandbox } from "../bench/sandbox.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ONE = join(ROOT, "examples/one.yaml");

/** What is looked at, by how it is shown. */
const COMMANDS = {
  "--version": ["--version"],
  "--help": ["--help"],
  "courses check one.yaml": ["courses", "check", ONE],
  "courses ls": ["courses", "ls"],
  "courses ls -o table": ["courses", "ls", "-o", "table"],
  "courses push --dry-run one.yaml": ["courses", "push", "--dry-run", ONE],
  schema: ["schema"],
  "completion bash": ["completion", "bash"],
  "__complete -- courses ls --pub": ["__complete", "--", "courses", "ls", "--pub"],
};

/** Has a run tell, at its end, which modules of Node.js it loaded. */
const HOOK = `const { writeFileSync } = require("node:fs");
process.on("exit", () => writeFileSync(process.env.LOADS, JSON.stringify(process.moduleLoadList)));
`;

const scratch = await mkdtemp(join(tmpdir(), "catalog-loads-"));
try {
  process.exitCode = await main();
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function main() {
  await writeFile(join(scratch, "hook.cjs"), HOOK);
  await writeFile(join(scratch, "empty.cjs"), "");
  const ever = new Set(await modulesOf([join(scratch, "empty.cjs")], {}));
  const sandbox = await startSandbox(scratch, ["--seed", ONE]);
  const lines = [["", "files", "bytes", "node modules", "with internal ones"]];
  try {
    for (const [name, words] of Object.entries(COMMANDS)) {
      const files = await filesOf([PROGRAM, ...words], sandbox.environment);
      const loaded = await modulesOf([PROGRAM, ...words], sandbox.environment);
      const modules = loaded.filter((module) => !ever.has(module));
      const open = modules.filter((module) => isBuiltin(module));
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      process.stdout.write(`${detailText(name, files, open)}\n`);
      lines.push([name, ...[files.length, bytes, open.length, modules.length].map(String)]);
    }
  } finally {
    await sandbox.stop();
  }
  process.stdout.write(tableText(lines));
  return 0;
}

/** The program's own files that a run loads, with their sizes, from the engine's record. */
async function filesOf(words, variables) {
  const record = await mkdtemp(join(scratch, "record-"));
  await node(words, { ...variables, NODE_V8_COVERAGE: record });
  const paths = new Set();
  for (const name of await readdir(record)) {
    const { result } = JSON.parse(await readFile(join(record, name), "utf8"));
    for (const { url } of result) {
      const path = url.startsWith("file:") ? fileURLToPath(url) : url;
      if (isAbsolute(path) && path.startsWith(ROOT)) paths.add(path);
    }
  }
  const files = [...paths].map(async (path) => {
    return { name: relative(ROOT, path).split(sep).join("/"), bytes: (await stat(path)).size };
  });
  return (await Promise.all(files)).sort((one, other) => other.bytes - one.bytes);
}

/** The modules of Node.js that a run loads, internal ones too. */
async function modulesOf(words, variables) {
  const told = join(scratch, "modules.json");
  await node(["--require", join(scratch, "hook.cjs"), ...words], { ...variables, LOADS: told });
  const list = JSON.parse(await readFile(told, "utf8"));
  const start = "NativeModule ";
  return list.filter((entry) => entry.startsWith(start)).map((entry) => entry.slice(start.length));
}

/** @throws Error when the run fails: what it loads would tell nothing */
async function node(words, variables) {
  const home = join(scratch, "home");
  await mkdir(home, { recursive: true });
  const child = spawn(process.execPath, words, {
    cwd: home,
    env: plainEnvironment(home, variables),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${errors}`);
}

function detailText(name, files, modules) {
  const widest = Math.max(...files.map(({ bytes }) => String(bytes).length));
  const lines = files.map((file) => `  ${String(file.bytes).padStart(widest)}  ${file.name}`);
  return `catalog ${name}\n${lines.join("\n")}\n  node: ${modules.join(", ") || "nothing more"}\n`;
}

function tableText(lines) {
  const widths = lines[0].map((_, index) => Math.max(...lines.map((line) => line[index].length)));
  const texts = lines.map(([name, ...figures]) =>
    [
      name.padEnd(widths[0]),
      ...figures.map((figure, index) => figure.padStart(widths[index + 1])),
    ].join("  "),
  );
  return `${texts.join("\n")}\n`;
}
