/**
 * Builds dist-binary/: an executable for this platform, which contains Node.js, and the licenses, the man page and the
 * JSON Schemas from dist/. Run `npm run build` first.
 *
 * npm run binary                      with the Node.js that runs this, or node@24 from npm if it is older than 22
 * npm run binary -- --node <program>  with this Node.js, 22 or later
 * npm run binary -- --test            also tests the executable, with only its own folder on the search path
 */
import { execFile } from "node:child_process";
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { build } from "rolldown";
import { EXECUTABLE, EXECUTABLE_FOLDER, runCommand, testExecutable } from "./binary-test.mjs";
import { BUNDLE, STYLE } from "./bundle-options.mjs";
import { lazyBuiltins } from "./lazy-builtins.mjs";
import { fetchNode, ROOT } from "./packed.mjs";

const OLDEST = 22;
const DEFAULT = 24;
/** The package that writes a section into an executable. Pinned, because it changes what users run. */
const POSTJECT = "postject@1.0.0-alpha.6";
/** Marks the place in Node.js that says whether the executable contains a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const RESOURCES = ["THIRD-PARTY-LICENSES.txt", "catalog.1", "course.schema.json", "schemas"];
const IS_MAC = process.platform === "darwin";

const run = promisify(execFile);
const { values } = parseArgs({
  options: { node: { type: "string" }, test: { type: "boolean", default: false } },
});
const scratch = await mkdtemp(join(tmpdir(), "catalog-binary-"));
try {
  const node = await chooseNode(values.node);
  await rm(EXECUTABLE_FOLDER, { recursive: true, force: true });
  await mkdir(EXECUTABLE_FOLDER);
  await buildExecutable(node);
  await copyResources(node);
  process.stdout.write(`Built ${EXECUTABLE}.\n`);
  if (values.test) await testExecutable();
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Finds or installs the Node.js whose copy becomes the executable. @returns its path */
async function chooseNode(given) {
  if (given === undefined) {
    const isNew = Number.parseInt(process.versions.node, 10) >= OLDEST;
    return isNew ? process.execPath : await fetchNode(DEFAULT, scratch);
  }
  const program = resolve(given);
  const { stdout: version } = await run(program, ["--version"]);
  if (Number.parseInt(version.slice(1), 10) >= OLDEST) return program;
  throw new Error(`${given} is Node.js ${version.trim()}; use ${OLDEST} or later`);
}

/** Bundles the program into one file, and adds it with its compiled code to a copy of Node.js. */
async function buildExecutable(node) {
  await build({
    ...BUNDLE,
    plugins: [...BUNDLE.plugins, lazyBuiltins()],
    input: join(ROOT, "tools/scripts/binary-entry.mjs"),
    output: {
      ...STYLE,
      file: join(scratch, "program.cjs"),
      format: "cjs",
      dynamicImportInCjs: false,
      codeSplitting: false,
    },
  });
  const config = {
    main: "program.cjs",
    output: "program.blob",
    disableExperimentalSEAWarning: true,
    // Valid only for this Node.js, which is part of the executable.
    useCodeCache: true,
  };
  await writeFile(join(scratch, "config.json"), JSON.stringify(config));
  await run(node, ["--experimental-sea-config", "config.json"], { cwd: scratch });

  const copy = join(scratch, "copy");
  await copyFile(node, copy);
  await chmod(copy, 0o755);
  // A changed file needs a new signature, or macOS does not run it.
  if (IS_MAC) await run("codesign", ["--remove-signature", copy]);
  const words = ["copy", "NODE_SEA_BLOB", "program.blob", "--sentinel-fuse", FUSE];
  if (IS_MAC) words.push("--macho-segment-name", "NODE_SEA");
  await runCommand("npx", ["--yes", POSTJECT, ...words], { cwd: scratch });
  if (IS_MAC) await run("codesign", ["--sign", "-", copy]);
  await copyFile(copy, EXECUTABLE);
}

/** Adds the files that must be distributed with the executable. */
async function copyResources(node) {
  await copyFile(join(ROOT, "LICENSE"), join(EXECUTABLE_FOLDER, "LICENSE"));
  for (const name of RESOURCES) {
    await cp(join(ROOT, "dist", name), join(EXECUTABLE_FOLDER, name), { recursive: true });
  }
  // The archives of nodejs.org contain the license; the npm package node does not.
  const folder = process.platform === "win32" ? dirname(node) : dirname(dirname(node));
  try {
    await copyFile(join(folder, "LICENSE"), join(EXECUTABLE_FOLDER, "LICENSE-node.txt"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    process.stdout.write(
      `No license of Node.js in ${folder}: add it before you distribute this.\n`,
    );
  }
}
