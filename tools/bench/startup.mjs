/**
 * Measures how long short commands take from start to exit, compared with a Node.js that does nothing.
 * `npm run bench startup -- --node <path>` measures with another Node.js.
 */
import { closeSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timeCommand } from "./command.mjs";
import { compare } from "./compare.mjs";
import { PROGRAM, plainEnvironment } from "./program.mjs";
import { startSandbox } from "./sandbox.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const EXAMPLE = fileURLToPath(new URL("../../examples/one.yaml", import.meta.url));
const ROUNDS = 25;

/** Measures with the sandbox as a separate process, so that serving is not part of the time. */
export async function run({ rounds = ROUNDS, node = process.execPath } = {}) {
  return await withTemporaryFolder(async (folder) => {
    const seed = join(folder, "seed.json");
    await writeFile(seed, JSON.stringify(tenCourses()));
    const sandbox = await startSandbox(folder, ["--seed", seed]);
    // Files, as a shell provides: a pipe of Node.js is a socket, for which Node.js loads its network code.
    const output = openSync(join(folder, "output.txt"), "w");
    const environment = plainEnvironment(folder, sandbox.environment);
    const uncached = { ...environment, NODE_DISABLE_COMPILE_CACHE: "1" };
    const time = (words, env) => () =>
      timeCommand(node, words, { cwd: folder, env, stdio: ["ignore", output, "pipe"] });
    const measure = async (title, env) =>
      await compare({
        title,
        rounds,
        baseline: ["node -e 0", time(["-e", "0"], env)],
        candidates: [
          ["catalog --version", time([PROGRAM, "--version"], env)],
          ["catalog --help", time([PROGRAM, "--help"], env)],
          ["catalog courses check one.yaml", time([PROGRAM, "courses", "check", EXAMPLE], env)],
          ["catalog courses ls (10 courses)", time([PROGRAM, "courses", "ls"], env)],
          ["catalog schema", time([PROGRAM, "schema"], env)],
        ],
      });
    try {
      return [
        await measure(`startup: from start to exit with ${node}`, environment),
        await measure("startup: the same without the compile cache", uncached),
      ];
    } finally {
      closeSync(output);
      await sandbox.stop();
    }
  });
}

function tenCourses() {
  return Array.from({ length: 10 }, (_, index) => ({
    name: `Course ${index + 1}`,
    url: `https://academy.example/courses/${index + 1}`,
    provider: "academy.example",
    short_description: "A course to be listed.",
    long_description: "It is listed with nine others.",
    audio: ["en"],
    pace: "self_paced",
  }));
}
