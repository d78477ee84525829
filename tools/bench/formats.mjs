/** `ls --all` of many courses in each format, beside the leanest of them. */
import { has, mustShow } from "./command.mjs";
import { ID_START } from "./courses.mjs";
import { PAGE, readPages, timedShell } from "./curl.mjs";
import { inFolder } from "./folder.mjs";
import { missingNote, paired } from "./paired.mjs";
import { PROGRAM, plainEnvironment, timedCatalog } from "./program.mjs";
import { atService } from "./service.mjs";

const COURSES = 100_000;
const LATENCY = 20;
const ROUNDS = 5;
const LS = ["courses", "ls", "--all"];
const LEANEST = ["-o", "ndjson"];

/** By the words that choose them; without any it is lines of tab-separated columns. */
const FORMATS = {
  "-o json": ["-o", "json"],
  "-o yaml": ["-o", "yaml"],
  "-o csv": ["-o", "csv"],
  "-o table": ["-o", "table"],
  "-o id": ["-o", "id"],
  "(tab-separated)": [],
};

/** Whole processes; what they print goes to nobody. */
export async function run({ rounds = ROUNDS } = {}) {
  const missing = ["curl", "jq"].find((program) => !has(program));
  return await inFolder(async (folder) => {
    return await atService({ courses: COURSES, latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      mustListAll(LEANEST, place);
      const formats = Object.entries(FORMATS).map(([name, words]) => {
        mustListAll(words, place);
        return [`catalog courses ls --all ${name}`, () => timedCatalog([...LS, ...words], place)];
      });
      const byHand = [
        "curl … | jq -c .[], page after page",
        () => timedShell(readPages(COURSES, "| jq -e -c '.[]'"), place),
      ];
      return await paired({
        title: `the formats of ls: ${COURSES} courses of 2 KB, ${PAGE} a page, ${LATENCY} ms a request`,
        rounds,
        warmUp: 1,
        note: missing === undefined ? undefined : missingNote(missing),
        baseline: [
          "catalog courses ls --all -o ndjson",
          () => timedCatalog([...LS, ...LEANEST], place),
        ],
        candidates: missing === undefined ? [...formats, byHand] : formats,
      });
    });
  });
}

function mustListAll(words, { folder, environment }) {
  const options = { cwd: folder, env: plainEnvironment(folder, environment) };
  const all = [PROGRAM, ...LS, ...words];
  mustShow(COURSES, ID_START, folder, process.execPath, all, options);
}
