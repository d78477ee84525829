/** How long short commands take from start to exit, beside a Node.js that does nothing. */
import { closeSync, mkdtempSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timed } from "./command.mjs";
import { inFolder } from "./folder.mjs";
import { paired } from "./paired.mjs";
import { PROGRAM, plainEnvironment } from "./program.mjs";
import { startSandbox } from "./sandbox.mjs";

const EXAMPLE = fileURLToPath(new URL("../../examples/one.yaml", import.meta.url));
const ROUNDS = 25;

/** Measures with a sandbox in a process of its own, so that serving is not part of the time. */
export async function run({ rounds = ROUNDS } = {}) {
  return await inFolder(async (folder) => {
    const seed = join(folder, "seed.json");
    await writeFile(seed, JSON.stringify(tenCourses()));
    const sandbox = await startSandbox(folder, ["--seed", seed]);
    // Shells give files and pipes; a pipe of Node.js is a socket, for which it loads all of its network.
    const output = openSync(join(folder, "output.txt"), "w");
    try {
      const at = (home) => plainEnvironment(home, sandbox.environment);
      return [
        await compared("startup: from start to exit, output into a file", rounds, output, () =>
          at(folder),
        ),
        // What a run keeps for the next one, it keeps in the user's home.
        await compared(
          "startup: the same as first runs of all, in a new home each",
          rounds,
          output,
          () => at(mkdtempSync(join(folder, "home-"))),
        ),
      ];
    } finally {
      closeSync(output);
      await sandbox.stop();
    }
  });
}

/**
 * @param output where what is printed goes
 * @param environment gives that of the next run
 */
async function compared(title, rounds, output, environment) {
  const node = (...words) => {
    return () => {
      const env = environment();
      const stdio = ["ignore", output, "pipe"];
      return timed(process.execPath, words, { cwd: env.HOME, env, stdio });
    };
  };
  return await paired({
    title,
    rounds,
    baseline: ["node -e 0", node("-e", "0")],
    candidates: [
      ["catalog --version", node(PROGRAM, "--version")],
      ["catalog --help", node(PROGRAM, "--help")],
      ["catalog courses check one.yaml", node(PROGRAM, "courses", "check", EXAMPLE)],
      ["catalog courses ls (10 courses)", node(PROGRAM, "courses", "ls")],
      ["catalog schema", node(PROGRAM, "schema")],
    ],
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
