/** How long short commands take from start to exit, beside a Node.js that does nothing. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timed } from "./command.mjs";
import { paired } from "./paired.mjs";
import { startSandbox } from "./sandbox.mjs";

const PROGRAM = fileURLToPath(new URL("../bin/catalog.js", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../examples/one.yaml", import.meta.url));
const ROUNDS = 25;

/** Measures with a sandbox in a process of its own, so that serving is not part of the time. */
export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "catalog-bench-"));
  const seed = join(folder, "seed.json");
  await writeFile(seed, JSON.stringify(tenCourses()));
  const sandbox = await startSandbox(folder, ["--seed", seed]);
  try {
    const environment = { PATH: process.env.PATH, HOME: folder, ...sandbox.environment };
    const node = (...words) => {
      return () => timed(process.execPath, words, { cwd: folder, env: environment });
    };
    return await paired({
      title: "startup: from start to exit",
      rounds: ROUNDS,
      baseline: ["node -e 0", node("-e", "0")],
      candidates: [
        ["catalog --version", node(PROGRAM, "--version")],
        ["catalog --help", node(PROGRAM, "--help")],
        ["catalog courses check one.yaml", node(PROGRAM, "courses", "check", EXAMPLE)],
        ["catalog courses ls (10 courses)", node(PROGRAM, "courses", "ls")],
      ],
    });
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
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
