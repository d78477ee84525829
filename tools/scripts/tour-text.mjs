/** Reads the commands of docs/tutorial.md, and compares their output with what a terminal shows. */

/** A line of the tutorial in place of lines that it omits. */
const LEFT_OUT = "…";
/** Replaces ids in comparisons. */
const ID = "<id>";
const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

/**
 * @typedef {{line: string, shown?: string[]}} Step a shell line, and the output that the tutorial
 *   shows; without output, the line only has to succeed
 */

/**
 * The commands of a tutorial: its first command serves, and the others are typed in another terminal.
 *
 * @param {string} page
 * @returns {{serve: string, served: string[], steps: Step[]}}
 */
export function tourOf(page) {
  const blocks = [...page.matchAll(FENCED)].map(([, kind, text]) => ({ kind, text }));
  const [serve, served, ...rest] = blocks;
  if (serve?.kind !== "sh" || served === undefined) {
    throw new Error("the tutorial must begin with the sandbox and its output");
  }
  return {
    serve: serve.text.trim(),
    served: linesOf(served.text),
    steps: rest.flatMap(({ kind, text }) => (kind === "sh" ? [{ line: text }] : parseSteps(text))),
  };
}

/**
 * The page with other output of its steps.
 *
 * @param {string} page
 * @param {readonly (readonly string[] | undefined)[]} outputs the lines of each step; undefined: as they are
 * @returns {string}
 */
export function withOutputs(page, outputs) {
  const { steps } = tourOf(page);
  let rest = page;
  let written = "";
  for (const [index, { line, shown }] of steps.entries()) {
    if (shown === undefined) continue;
    const before = [`$ ${line}`, ...shown].join("\n");
    const start = rest.indexOf(`${before}\n`);
    const lines = (outputs[index] ?? shown).map((text) =>
      text.replace(/(127\.0\.0\.1):\d+/g, "$1:4010"),
    );
    written += rest.slice(0, start) + [`$ ${line}`, ...lines].join("\n");
    rest = rest.slice(start + before.length);
  }
  return written + rest;
}

/** The names of runs, which contain their time. */
const RUN = /\b\d{8}-\d{9}-[\da-f]{6}\b/g;

/**
 * The outputs with other names of runs, numbered by their times, so that each run has the same name everywhere.
 *
 * @param {readonly (readonly string[])[]} outputs the lines of each step
 * @returns {string[][]}
 */
export function nameRuns(outputs) {
  const names = [...new Set(outputs.flat().join("\n").match(RUN) ?? [])].sort();
  const numbered = (name) => `20260131-120000000-${`${names.indexOf(name) + 1}`.padStart(6, "0")}`;
  return outputs.map((lines) => lines.map((line) => line.replaceAll(RUN, numbered)));
}

/** The commands after the prompts of a block, each with the output up to the next one. */
function parseSteps(text) {
  const steps = [];
  for (const line of linesOf(text)) {
    if (line.startsWith("$ ")) steps.push({ line: line.slice(2), shown: [] });
    else if (steps.length > 0) steps.at(-1).shown.push(line);
    else throw new Error(`the tutorial shows "${line}" before any command`);
  }
  return steps;
}

function linesOf(text) {
  return text.trimEnd().split("\n");
}

/**
 * Whether lines are as the tutorial shows, except for ids, times, ports, the home folder, omitted
 * lines, and the order of listed courses: those created in parallel have no fixed order.
 *
 * @param {readonly string[]} expected
 * @param {readonly string[]} shown
 * @param {string} home the home folder here, instead of the tutorial's
 */
export function matchesTutorial(expected, shown, home) {
  const pattern = normalize(expected, "/home/ada").map((line) =>
    line === LEFT_OUT ? "(?:.*\n)*?" : `${escapeRegExp(line)}\n`,
  );
  const text = normalize(shown, home).map((line) => `${line}\n`);
  return new RegExp(`^${pattern.join("")}$`).test(text.join(""));
}

function normalize(lines, home) {
  const fixed = lines.map((line) =>
    line
      .replaceAll(home, "~")
      .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, ID)
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.-]+Z(?:-[\da-f]{8})?/g, "<time>")
      .replaceAll(/\b127\.0\.0\.1:\d+/g, "127.0.0.1:<port>"),
  );
  const isListed = (line) => line.endsWith(`  ${ID}`);
  const listed = fixed.filter(isListed).sort();
  return fixed.map((line) => (isListed(line) ? listed.shift() : line));
}

function escapeRegExp(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
