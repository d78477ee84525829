/** Reads the README's tour, and tells whether what a terminal shows is what it promises. */

const HEADING = "## A tour in five minutes";
/** A line of the README that stands for others that it leaves out. */
const LEFT_OUT = "…";
/** What stands for an id where lines are compared. */
const ID = "<id>";
const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

/**
 * @typedef {{line: string, shown?: string[]}} Step a line of shell, and what the README shows below
 *   it; without that, the line only has to succeed
 */

/**
 * The tour of a README: its first command serves, and the others are typed in another terminal.
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
    throw new Error("README.md: the tour does not begin with the sandbox and what it prints");
  }
  return {
    serve: serve.text.trim().replace(/^npx /, ""),
    served: linesOf(served.text),
    steps: rest.flatMap(({ kind, text }) => (kind === "sh" ? [{ line: text }] : typed(text))),
  };
}

/** The commands of a block behind their prompts, each with the lines up to the next one. */
function typed(text) {
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
 * Whether lines are as promised, but for ids, times, ports, the home folder, what is left out, and
 * the order of listed courses: several that are created at once arrive as they will.
 *
 * @param {readonly string[]} promised
 * @param {readonly string[]} shown
 * @param {string} home the folder that stands for the README's
 */
export function isAsPromised(promised, shown, home) {
  const pattern = loosened(promised, "/home/ada").map((line) =>
    line === LEFT_OUT ? "(?:.*\n)*?" : `${escaped(line)}\n`,
  );
  const text = loosened(shown, home).map((line) => `${line}\n`);
  return new RegExp(`^${pattern.join("")}$`).test(text.join(""));
}

function loosened(lines, home) {
  const fixed = lines.map((line) =>
    line
      .replaceAll(home, "~")
      .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, ID)
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.-]+Z(?:-[\da-f]{8})?/g, "<time>")
      .replaceAll(/\b127\.0\.0\.1:\d+/g, "127.0.0.1:<port>"),
  );
  const listed = fixed.filter((line) => line.startsWith(ID)).sort();
  return fixed.map((line) => (line.startsWith(ID) ? listed.shift() : line));
}

function escaped(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
