/** Tests the executable that `npm run binary` builds, with only its folder on the search path. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { VERSION } from "./bundle-options.mjs";
import { ROOT } from "./packed.mjs";

const IS_WINDOWS = process.platform === "win32";

/** The folder of the executable and its licenses. */
export const EXECUTABLE_FOLDER = join(ROOT, "dist-binary");
export const EXECUTABLE = join(EXECUTABLE_FOLDER, IS_WINDOWS ? "catalog.exe" : "catalog");

/** Runs a program of npm, which is a script on Windows. */
export async function runCommand(program, words, options = {}) {
  return await promisify(execFile)(program, words, { ...options, shell: IS_WINDOWS });
}

/**
 * Pushes the examples to a sandbox of the executable, which starts the executable again, and on Linux runs the
 * README's tour.
 *
 * @throws Error if a command has another result than expected
 */
export async function testExecutable() {
  const home = await mkdtemp(join(tmpdir(), "catalog-binary-home-"));
  try {
    const env = { PATH: EXECUTABLE_FOLDER, HOME: home };
    const run = async (words) =>
      await promisify(execFile)(EXECUTABLE, words, { cwd: ROOT, env, maxBuffer: 1e8 });
    expectText((await run(["--version"])).stdout, `${VERSION}\n`);
    const push = ["catalog", "courses", "push", "examples/courses"];
    const words = ["sandbox", "--seed", "examples/providers.json", "--", ...push];
    const { stderr } = await run(words);
    expectText(stderr, "Created 14 courses.");
    process.stdout.write(`catalog ${words.join(" ")}: 14 courses created.\n`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  // The tour needs a terminal, which it gets from a program of Linux.
  if (process.platform !== "linux") return;
  const tour = join(ROOT, "tools/scripts/tour.mjs");
  const { stdout } = await runCommand(process.execPath, [tour, "--binary"]);
  process.stdout.write(stdout);
}

function expectText(actual, part) {
  if (!actual.includes(part)) throw new Error(`expected ${part.trim()}, got:\n${actual}`);
}
