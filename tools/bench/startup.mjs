/** Measures how long short commands take from start to exit, compared with a Node.js that does nothing. */
import { fileURLToPath } from "node:url";
import { compare } from "./compare.mjs";
import { PROGRAM, runNode } from "./program.mjs";
import { withService } from "./service.mjs";

const EXAMPLE = fileURLToPath(new URL("../../examples/one.yaml", import.meta.url));
/** A start is so short that it needs more rounds than a push. */
const TIMES_ROUNDS = 4;

export async function run({ folder, rounds, node }) {
  return await withService(10, async (environment) => {
    const time = (words) => () => runNode(words, { folder, environment, node }).time;
    const catalog = (goal, ...words) => ({
      name: `catalog ${words.map((word) => (word === EXAMPLE ? "one.yaml" : word)).join(" ")}`,
      measure: time([PROGRAM, ...words]),
      goal,
    });
    const result = await compare({
      title: "From start to exit",
      unit: "ms",
      rounds: rounds * TIMES_ROUNDS,
      measurements: [
        { name: "node -e 0", measure: time(["-e", "0"]) },
        catalog(1.3, "--version"),
        catalog(1.6, "--help"),
        catalog(2.6, "courses", "check", EXAMPLE),
        catalog(3.3, "courses", "ls"),
      ],
    });
    return [result];
  });
}
