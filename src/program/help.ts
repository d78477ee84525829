/** What help pages show besides what commander lists. */
import { type Argument, type Flag, valueName } from "../cli/arguments.ts";
import type { AnyCommand } from "../cli/command.ts";
import { GLOBAL_FLAGS } from "../cli/global-flags.ts";
import { paragraph } from "../output/text-measure.ts";

export const HELP_FLAG: Flag = { name: "help", short: "h", description: "print help" };
export const VERSION_FLAG: Flag = { name: "version", short: "V", description: "print the version" };

/** The end of every page: the examples of a command and the formats of its output, and the global flags. */
export function endText(
  columns: number,
  command: Partial<AnyCommand> = {},
  hasCodes = false,
): string {
  const { examples = {}, output } = command;
  // A command line stays on one line, to be copied.
  const lines = Object.entries(examples).map(
    ([purpose, line]) => `${paragraph(purpose, columns, "  # ")}\n  ${line}`,
  );
  const names = [...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG].map(({ name, short }) =>
    short === undefined ? `--${name}` : `-${short}`,
  );
  const codes = Object.entries(EXIT_CODES).map(
    ([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`,
  );
  return [
    ...(lines.length === 0 ? [] : [`\nExamples:\n${lines.join("\n\n")}`]),
    ...(output ? ["", paragraph(`Formats of -o: ${output.formats.join(", ")}`, columns)] : [""]),
    paragraph(`Global flags: ${names.join(", ")}`, columns),
    ...(hasCodes ? [`\nExit codes:\n${codes.join("\n")}`] : []),
  ].join("\n");
}

/** What each exit code means. */
const EXIT_CODES = {
  0: "success",
  1: "the service rejected something, or some of the items failed",
  2: "usage, configuration, or a refused or declined run",
  3: "a course file is invalid or unreadable",
  4: "the API key is missing, empty or rejected",
  5: "not found, or not yours",
  6: "the service could not be reached, or the effect is unknown",
  7: "differences (diff --exit-code), or drift (--on-drift stop)",
  129: "ended by SIGHUP; 130: by Ctrl-C; 143: by SIGTERM",
};

/** An argument as the usage shows it: `<id...>`, `[file]`. */
export function argumentText({ name, required, variadic }: Argument): string {
  const inner = variadic === true ? `${name}...` : name;
  return required === true ? `<${inner}>` : `[${inner}]`;
}

/** A flag as the help shows it: `-o, --output <format>`. */
export function flagText(flag: Flag): string {
  const { name, short } = flag;
  const value = valueName(flag);
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** A summary with a capital letter and a period. */
export function asSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
