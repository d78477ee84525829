/**
 * Measures how long short commands of the executable take from start to exit, compared with the npm package and
 * with a Node.js that does nothing. `npm run binary` builds the executable.
 */
import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXECUTABLE } from "../scripts/binary-test.mjs";
import { timeCommand } from "./command.mjs";
import { compare, skipped } from "./compare.mjs";
import { IGNORE_OUTPUT, PROGRAM, plainEnvironment } from "./program.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const EXAMPLE = fileURLToPath(new URL("../../examples/one.yaml", import.meta.url));
const ROUNDS = 25;
const COMMANDS = [["--version"], ["--help"], ["courses", "check", EXAMPLE]];

/** Measures with the Node.js of the executable, because another version would compare versions of Node.js. */
export async function run({ rounds = ROUNDS, node = process.execPath } = {}) {
  const title = `binary: from start to exit, package with ${node}`;
  if (!existsSync(EXECUTABLE)) return skipped(title, "dist-binary/catalog");
  return await withTemporaryFolder(async (folder) => {
    const options = { cwd: folder, env: plainEnvironment(folder), stdio: IGNORE_OUTPUT };
    const time = (program, words) => () => timeCommand(program, words, options);
    return await compare({
      title,
      rounds,
      note: await sizes(node),
      baseline: ["node -e 0", time(node, ["-e", "0"])],
      candidates: COMMANDS.flatMap((words) => {
        const name = words.filter((word) => word !== EXAMPLE).join(" ");
        return [
          [`package: ${name}`, time(node, [PROGRAM, ...words])],
          [`executable: ${name}`, time(EXECUTABLE, words)],
        ];
      }),
    });
  });
}

async function sizes(node) {
  const dist = join(dirname(dirname(PROGRAM)), "dist");
  const files = await readdir(dist, { recursive: true, withFileTypes: true });
  const program = files.filter((file) => file.isFile() && file.name.endsWith(".cjs"));
  const bytes = program.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
  const megabytes = (size) => `${(size / 1e6).toFixed(1)} MB`;
  return [
    `Node.js: ${megabytes(statSync(node).size)}`,
    `executable: ${megabytes(statSync(EXECUTABLE).size)}`,
    `program in the package: ${megabytes(bytes)}.`,
  ].join(", ");
}
