/**
 * Decides which modules share a file of the bundle. A file costs a short command a third of a
 * millisecond, and so does what it carries in vain: what the same of the most common commands need
 * stands together, and everything else where the bundler puts it.
 */
import { fileURLToPath } from "node:url";
import { RUNTIME_MODULE_ID } from "rolldown";

/** What a run of each kind loads: these files below src/, and what they import. */
const RUNS = {
  start: ["main.ts"],
  program: ["cli/run.ts", "cli/context.ts"],
  words: ["cli/command-line.ts"],
  help: ["cli/help.ts"],
  check: ["commands/courses/check.ts", "files/yaml.ts"],
  connect: [
    "api/client.ts",
    "api/undici-transport.ts",
    "settings/resolve.ts",
    "settings/connection.ts",
  ],
  list: ["commands/courses/ls.ts", "output/lines.ts"],
  complete: ["cli/completion/complete.ts", "cli/completion/remote-candidates.ts"],
};

/** The first of these that needs a module has it in its own file, since the others load that too. */
const ALWAYS = { start: "start", program: "program", help: "program", words: "words" };
/** Whatever several of the others need. */
const SHARED = "shared";

/** @returns the option that tells rolldown */
export function parts() {
  let names;
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: "runs",
        name: (id, bundle) => {
          names ??= namesOf(bundle);
          return names.get(id) ?? null;
        },
      },
    ],
  };
}

/** The name of the file for each module that the common commands load. */
function namesOf(bundle) {
  const runs = new Map();
  for (const [run, files] of Object.entries(RUNS)) {
    for (const id of reachedFrom(files.map(pathOf), bundle)) {
      runs.set(id, [...(runs.get(id) ?? []), run]);
    }
  }
  runs.set(RUNTIME_MODULE_ID, ["start"]);
  return new Map(
    [...runs].map(([id, all]) => {
      const always = Object.keys(ALWAYS).find((run) => all.includes(run));
      const [only, ...others] = all;
      return [id, always === undefined ? (others.length === 0 ? only : SHARED) : ALWAYS[always]];
    }),
  );
}

function reachedFrom(roots, bundle) {
  const reached = new Set();
  const waiting = [...roots];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    waiting.push(...(bundle.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

function pathOf(file) {
  return fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
}
