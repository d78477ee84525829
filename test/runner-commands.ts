/** Finds the commands that CI services execute in a log: those of GitHub Actions as its runner does, Azure Pipelines and TeamCity. */

/** The commands that a runner registers. */
const REGISTERED = new Set(
  ["add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group"].concat(
    ["notice", "remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning"],
    ["command", "section"],
  ),
);

/** The whitespace that .NET trims from the beginning of a line, unlike that of JavaScript. */
const LEADING = /^[\t-\r\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** `ActionCommand.TryParseV2`: `::name key=value::data` at the beginning of a line. */
function commandAtStart(line: string): string | undefined {
  const trimmed = line.replace(LEADING, "");
  if (!trimmed.startsWith("::")) return undefined;
  const end = trimmed.indexOf("::", 2);
  return end < 0 ? undefined : nameIn(trimmed.slice(2, end));
}

/** `##[name]` of GitHub and Azure, `##vso[name]` of Azure and `##teamcity[name]`, anywhere in a line. */
function hasCommandInside(line: string): boolean {
  return /##(?:vso|teamcity)?\[[^\]]*\]/.test(line);
}

function nameIn(info: string): string | undefined {
  const [name = ""] = info.split(" ");
  return REGISTERED.has(name) ? name : undefined;
}

/** The lines of an output that a CI service would execute. */
export function executedLines(output: string): string[] {
  return output
    .split(/\r\n|\r|\n/)
    .filter((line) => commandAtStart(line) !== undefined || hasCommandInside(line));
}
