/** Reads the README's tour, and compares it with what a terminal shows. */

const HEADING = "## A tour in five minutes";
/** The line of the README that replaces omitted lines. */
const LEFT_OUT = "…";
/** Replaces ids in comparisons. */
const ID = "<id>";
const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

/**
 * @typedef {{line: string, shown?: string[]}} Step a shell line, and the output that the README
 *   shows; without output, the line only has to succeed
 */

/**
 * Parses the tour of a README. Its first command starts the sandbox, and the others are typed in another terminal.
 *
 * @param {string} readme
 * @returns {{serve: string, served: string[], steps: Step[]}}
 */
export function tourOf(readme) {
  const from = readme.indexOf(HEADING);
  if (from === -1) throw new Error(`README.md has no "${HEADING}"`);
  const to = readme.indexOf("\n## ", from);
  const section = readme.slice(from, to === -1 ? undefined : to);
  const blocks = [...section.matchAll(FENCED)].map(([, kind, text]) => ({ kind, text }));
  const [serve, served, ...rest] = blocks;
  if (serve?.kind !== "sh" || served === undefined) {
    throw new Error("README.md: the tour must begin with the sandbox and its output");
  }
  return {
    serve: serve.text.trim().replace(/^node bin\/catalog\.js/, "catalog"),
    served: linesOf(served.text),
    steps: rest.flatMap(({ kind, text }) => (kind === "sh" ? [{ line: text }] : parseSteps(text))),
  };
}

/** Parses a block: `$ catalog status` and the following lines, up to the next prompt, are a command with its output. */
function parseSteps(text) {
  const steps = [];
  for (const line of linesOf(text)) {
    if (line.startsWith("$ ")) steps.push({ line: line.slice(2), shown: [] });
    else if (steps.length > 0) steps.at(-1).shown.push(line);
    else throw new Error(`README.md: the tour shows "${line}" before any command`);
  }
  return steps;
}

function linesOf(text) {
  return text.trimEnd().split("\n");
}

/**
 * Whether lines are as the README shows, except for ids, times, ports, the home folder, omitted lines, and the order of
 * listed courses, which is not fixed if they were created in parallel.
 *
 * @param {readonly string[]} expected
 * @param {readonly string[]} shown
 * @param {string} home the home folder of this run, which replaces the home folder in the README
 */
export function matchesReadme(expected, shown, home) {
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
      .replaceAll(/\b\d{8}-\d{9}-[\da-f]{6}\b/g, "<run>")
      .replaceAll(/\b127\.0\.0\.1:\d+/g, "127.0.0.1:<port>"),
  );
  const isListed = (line) => line.endsWith(`  ${ID}`);
  const listed = fixed.filter(isListed).sort();
  return fixed.map((line) => (isListed(line) ? listed.shift() : line));
}

function escapeRegExp(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
