/**
 * Writes docs/pictures/*.svg: screens of the built program on a terminal, which needs `script` of util-linux.
 * With --check it writes nothing, and exits with 1 if a picture is out of date.
 */
import { spawn } from "node:child_process";
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import headless from "@xterm/headless";
import { ROOT } from "./packed.mjs";

const COLUMNS = 106;
/** Enough rows that no line scrolls away. */
const ROWS = 500;

/** A course with one problem, which --fix corrects. */
const KNITTING = `name: Knitting for Beginners
url: https://academy.example/knitting
provider: example-academy
short_description: Knit your first scarf in six evenings.
long_description: From casting on to binding off, with yarn, needles and charts.
audio: [en]
pace: self-paced
`;

/**
 * The lines of each picture, whose output must be the same in every run. So courses come from `push`, which derives
 * ids from their content, with one request at a time, which fixes the order.
 */
const PICTURES = [
  {
    name: "push",
    title:
      "check finds a problem in a course file and fixes it, push creates the course, and undo deletes it",
    before: ["mkdir courses", `cat > courses/knitting.yaml <<'EOF'\n${KNITTING}EOF`],
    shown: [
      "catalog courses check courses",
      "catalog courses check courses --fix",
      "catalog courses push courses",
      "catalog undo --yes",
    ],
  },
  {
    name: "import",
    seed: "examples/providers.json",
    title:
      "catalog courses import converts a CSV file into course files, and push creates the courses",
    before: [
      "cp examples/import/moodle.csv . && mkdir courses",
      "echo 'provider: swcarpentry-github-io' > courses/catalog.defaults.yaml",
    ],
    shown: [
      "catalog courses import moodle.csv --suggest > moodle.jsonata",
      "cat moodle.jsonata",
      `sed -i 's|"pace": ""|"pace": "self_paced"|' moodle.jsonata`,
      `sed -i 's|"long_description": ""|"long_description": fullname \\& ". " \\& $plainText(summary)|' moodle.jsonata`,
      "catalog courses import moodle.csv --map moodle.jsonata --out courses",
      "catalog courses import moodle.csv --map moodle.jsonata --out courses",
      "catalog courses push --concurrency 1 courses",
    ],
  },
];

const FONTS =
  "ui-monospace,'SF Mono',Menlo,'DejaVu Sans Mono','Liberation Mono',Consolas,monospace";
/** The sixteen colors of a terminal, readable on a dark background. */
const COLORS = [
  ...["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
  ...["#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff"],
];

const scratch = await mkdtemp(join(tmpdir(), "catalog-pictures-"));
try {
  const program = join(scratch, "catalog");
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/catalog.js' "$@"\n`);
  await chmod(program, 0o755);
  for (const picture of PICTURES) {
    const file = join(ROOT, `docs/pictures/${picture.name}.svg`);
    const svg = screenSvg(await screenOf(picture), picture.title);
    if (!process.argv.includes("--check")) {
      await writeFile(file, svg);
    } else if ((await readFile(file, "utf8")) !== svg) {
      process.stderr.write(`${file} is out of date: run npm run pictures\n`);
      process.exitCode = 1;
    }
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Runs the lines of a picture in a separate folder and sandbox. @returns the rows of the screen that show them */
async function screenOf({ title, seed, before, shown }) {
  const folder = await mkdtemp(join(scratch, "folder-"));
  await cp(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
  const prompts = shown.map((line, index) => {
    const prompt = `${index === 0 ? "" : "\n"}\u001b[32m$\u001b[39m \u001b[1m${line}\u001b[22m`;
    // The last exit code does not matter: check ends with 3.
    return `printf '%s\\n' '${prompt.replaceAll("'", `'\\''`)}'\n${line} || true`;
  });
  const session = join(folder, "session.sh");
  await writeFile(session, ["set -e", ...before, ...prompts, "printf '\\036'"].join("\n"));
  const sandbox = `catalog sandbox ${seed === undefined ? "" : `--seed ${seed}`} --`;
  const words = `stty cols ${COLUMNS} rows ${ROWS} && exec ${sandbox} sh '${session}'`;
  const environment = { TERM: "xterm-256color", SHELL: "/bin/sh", HOME: folder };
  const child = spawn("script", ["-qfec", words, "/dev/null"], {
    cwd: folder,
    env: { ...environment, PATH: [scratch, process.env.PATH].join(delimiter) },
  });
  const chunks = await child.stdout.setEncoding("utf8").toArray();
  const [bytes, ending] = nameAlike(chunks.join("")).split("\u001e");
  if (ending === undefined) throw new Error(`${title}: it ended early:\n${bytes}`);
  const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(bytes, resolve));
  const buffer = terminal.buffer.active;
  const rows = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row));
  return rows.slice(0, rows.findLastIndex((row) => row.translateToString(true) !== "") + 1);
}

/** Numbers the runs by their times, and replaces the time of a push, and the port that the system chose. */
function nameAlike(text) {
  const run = /\b\d{8}-\d{9}-[\da-f]{6}\b/g;
  const names = [...new Set(text.match(run) ?? [])].sort();
  const numbered = text.replace(run, (name) => {
    return `20260131-120000000-${String(names.indexOf(name) + 1).padStart(6, "0")}`;
  });
  return numbered
    .replace(/(?<=courses push, )\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-01-31 12:00")
    .replace(/(?<=http:\/\/127\.0\.0\.1:)\d+/g, "4010");
}

/** Draws rows as text in a dark window. */
function screenSvg(rows, title) {
  const [width, height] = [Math.ceil(COLUMNS * 8.4 + 32), rows.length * 19 + 46];
  const lights = ["#ff5f57", "#febc2e", "#28c840"];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#30363d"/>`,
    ...lights.map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="16" r="5" fill="${fill}"/>`,
    ),
    `<g font-family="${FONTS}" font-size="14" fill="#e6edf3">`,
    ...rows.map((row, index) => {
      // One text element with its spaces, so that a reader can select and copy the row.
      const runs = runsOf(row).map(runSvg).join("");
      return runs === "" ? "" : `<text y="${44 + index * 19}" xml:space="preserve">${runs}</text>`;
    }),
    "</g>",
    "</svg>",
    "",
  ]
    .filter((line, index, lines) => line !== "" || index === lines.length - 1)
    .join("\n");
}

/** The cells of a row up to its last character; neighbors with the same style are one run. */
function runsOf(row) {
  const runs = [];
  const end = row.translateToString(true).length;
  for (let column = 0, length = 0; length < end; column += 1) {
    const cell = row.getCell(column);
    // The second half of a wide character.
    if (cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    if (runs.at(-1)?.style !== style) runs.push({ text: "", column, cells: 0, style });
    const last = runs.at(-1);
    const text = cell.getChars() || " ";
    last.text += text;
    last.cells += cell.getWidth();
    length += text.length;
  }
  return runs;
}

/** A run of characters, as wide as its cells in any font. */
function runSvg({ text, column, cells, style }) {
  const pixels = (value) => String(Math.round(value * 10) / 10);
  const at = `x="${pixels(16 + column * 8.4)}" textLength="${pixels(cells * 8.4)}"`;
  return `<tspan ${at}${style}>${escapeXml(text)}</tspan>`;
}

function styleOf(cell) {
  return [
    cell.isFgDefault() ? "" : ` fill="${COLORS[cell.getFgColor()]}"`,
    cell.isBold() ? ' font-weight="bold"' : "",
    cell.isDim() ? ' fill-opacity=".65"' : "",
    cell.isUnderline() ? ' text-decoration="underline"' : "",
  ].join("");
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
