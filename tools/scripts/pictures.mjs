/**
 * Writes docs/pictures/*.svg: screens of the built program on a terminal.
 * With --check it writes nothing, and exits with 1 if a picture is out of date.
 */
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ROOT } from "./packed.mjs";
import { screenSvg } from "./svg.mjs";
import { runOnTerminal, screenOf } from "./terminal.mjs";

const FOLDER = join(ROOT, "docs/pictures");
const COLUMNS = 106;
const SANDBOX = "catalog sandbox --seed examples/providers.json --";

/**
 * The lines of each picture, whose output must be the same in every run. So courses come from `push`, which derives
 * ids from their content, with one request at a time, which fixes the order.
 */
const PICTURES = [
  {
    name: "check",
    title: "catalog courses check reports six problems of a file, and --fix corrects five of them",
    before: [],
    shown: [
      "catalog courses check examples/broken.yaml",
      "catalog courses check --fix examples/broken.yaml",
    ],
  },
  {
    name: "import",
    title:
      "catalog courses import converts a CSV file into course files, and push creates the courses",
    before: [
      "cp examples/import/moodle.csv . && mkdir courses",
      "echo 'provider: swcarpentry-github-io' > courses/catalog.defaults.yaml",
    ],
    shown: [
      "catalog courses import moodle.csv --suggest > moodle.jsonata",
      "cat moodle.jsonata",
      "catalog courses import moodle.csv --map moodle.jsonata --out courses",
      "catalog courses import moodle.csv --map moodle.jsonata --out courses",
      "catalog courses push --concurrency 1 courses",
    ],
  },
];

/** The names of runs, which contain their time and so are numbered in pictures. */
const RUN = /\b\d{8}-\d{9}-[\da-f]{6}\b/g;

const scratch = await mkdtemp(join(tmpdir(), "catalog-pictures-"));
try {
  const program = join(scratch, "catalog");
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/catalog.js' "$@"\n`);
  await chmod(program, 0o755);
  await mkdir(FOLDER, { recursive: true });
  for (const picture of PICTURES) await save(`${picture.name}.svg`, await draw(picture));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function save(name, svg) {
  const file = join(FOLDER, name);
  if (!process.argv.includes("--check")) {
    await writeFile(file, svg);
  } else if ((await readFile(file, "utf8").catch(() => "")) !== svg) {
    process.stderr.write(`docs/pictures/${name} is out of date: run npm run pictures\n`);
    process.exitCode = 1;
  }
}

/** Runs the lines of a picture in a separate folder and sandbox. */
async function draw({ title, before, shown }) {
  const folder = await mkdtemp(join(scratch, "folder-"));
  await cp(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
  const environment = { PATH: [scratch, process.env.PATH].join(delimiter), HOME: folder };
  const options = { columns: COLUMNS, folder, environment, around: SANDBOX };
  const ended = await runOnTerminal([...before, ...shown], options);
  if (ended.length < before.length + shown.length) throw new Error(`${title}: it ended early`);
  for (const [index, line] of before.entries()) {
    const { code, bytes } = ended[index];
    if (code !== 0) throw new Error(`"${line}" ended with ${code}:\n${bytes}`);
  }
  const typed = shown.map((line, index) => {
    const { bytes } = ended[before.length + index];
    const words = line.replaceAll("\n", "\r\n");
    return `\u001b[32m$\u001b[39m \u001b[1m${words}\u001b[22m\r\n${bytes}`;
  });
  const rows = await screenOf(nameAlike(typed.join("\r\n")), COLUMNS);
  return screenSvg(rows, COLUMNS, title);
}

/** Numbers the runs, and replaces the sandbox's port, which the system chose, with the default port. */
function nameAlike(text) {
  const names = [...new Set(text.match(RUN) ?? [])].sort();
  const numbered = text.replace(RUN, (name) => {
    const number = String(names.indexOf(name) + 1);
    return `20260131-120000000-${number.padStart(6, "0")}`;
  });
  return numbered.replace(/(?<=http:\/\/127\.0\.0\.1:)\d+/g, "4010");
}
