/** Measures `ls --all` of many courses in each format, compared with the fastest format. */
import { isInstalled, requireOutput } from "./command.mjs";
import { compare, missingNote } from "./compare.mjs";
import { ID_START } from "./courses.mjs";
import { PAGE, readPages, timeShell } from "./curl.mjs";
import { PROGRAM, plainEnvironment, timeCatalog } from "./program.mjs";
import { withService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const COURSES = 100_000;
const LATENCY = 20;
const ROUNDS = 5;
const LS = ["courses", "ls", "--all"];
const LEANEST = ["-o", "ndjson"];

/** The formats by the flags that select them; the default is lines of tab-separated columns. */
const FORMATS = {
  "-o json": ["-o", "json"],
  "-o yaml": ["-o", "yaml"],
  "-o csv": ["-o", "csv"],
  "-o table": ["-o", "table"],
  "-o id": ["-o", "id"],
  "(tab-separated)": [],
};

/** Measures complete processes whose output is discarded. */
export async function run({ rounds = ROUNDS } = {}) {
  const missing = ["curl", "jq"].find((program) => !isInstalled(program));
  return await withTemporaryFolder(async (folder) => {
    return await withService({ courses: COURSES, latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      mustListAll(LEANEST, place);
      const formats = Object.entries(FORMATS).map(([name, words]) => {
        mustListAll(words, place);
        return [`catalog courses ls --all ${name}`, () => timeCatalog([...LS, ...words], place)];
      });
      const byHand = [
        "curl … | jq -c .[], page after page",
        () => timeShell(readPages(COURSES, "| jq -e -c '.[]'"), place),
      ];
      return await compare({
        title: `the formats of ls: ${COURSES} courses of 2 KB, ${PAGE} a page, ${LATENCY} ms a request`,
        rounds,
        warmUp: 1,
        note: missing === undefined ? undefined : missingNote(missing),
        baseline: [
          "catalog courses ls --all -o ndjson",
          () => timeCatalog([...LS, ...LEANEST], place),
        ],
        candidates: missing === undefined ? [...formats, byHand] : formats,
      });
    });
  });
}

function mustListAll(words, { folder, environment }) {
  const options = { cwd: folder, env: plainEnvironment(folder, environment) };
  const all = [PROGRAM, ...LS, ...words];
  requireOutput(COURSES, ID_START, folder, process.execPath, all, options);
}
