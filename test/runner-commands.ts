/** Finds the workflow commands that the runner of GitHub Actions would execute, as its two parsers do. */

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

/** `ActionCommand.TryParse`: `##[name key=value;]data` anywhere in a line. */
function commandInside(line: string): string | undefined {
  const start = line.indexOf("##[");
  const end = start < 0 ? -1 : line.indexOf("]", start);
  return end < 0 ? undefined : nameIn(line.slice(start + 3, end));
}

function nameIn(info: string): string | undefined {
  const [name = ""] = info.split(" ");
  return REGISTERED.has(name) ? name : undefined;
}

/** The lines of an output that a runner would execute. */
export function executedLines(output: string): string[] {
  return output
    .split(/\r\n|\r|\n/)
    .filter((line) => commandAtStart(line) !== undefined || commandInside(line) !== undefined);
}
