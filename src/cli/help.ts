/** How a help text is laid out. */
import type { Command, Help } from "commander";
import type { Example } from "../kit/command.ts";

/** The heading of a command's own flags. */
export const OWN_GROUP = "Flags:";
/** The heading of the flags that every command takes. */
export const GLOBAL_GROUP = "Global flags:";

/** What `catalog --help` shows. */
export const ROOT_EXAMPLES: readonly Example[] = [
  { says: "Try everything without an account", line: "catalog sandbox -- catalog courses ls" },
  { says: "Check course files", line: "catalog courses check courses/" },
  { says: "Create a course and keep its id", line: "id=$(catalog courses create intro.yaml)" },
];

/** The examples as the end of a help text. */
export function exampleText(examples: readonly Example[]): string {
  const lines = examples.flatMap(({ says, line }) => [`  # ${says}`, `  ${line}`, ""]);
  return ["", "Examples:", ...lines].join("\n").trimEnd();
}

/** A help text: what it is, what it takes, and last what every command takes. */
export function formatHelp(command: Command, helper: Help): string {
  const width = helper.padWidth(command, helper);
  const item = (term: string, description: string): string =>
    helper.formatItem(term, width, description, helper);
  const options = helper.visibleOptions(command).map((option) => ({
    isOwn: option.helpGroupHeading === OWN_GROUP,
    text: item(helper.optionTerm(option), helper.optionDescription(option)),
  }));
  const sections: [string, readonly string[]][] = [
    [
      "Commands:",
      helper
        .visibleCommands(command)
        .map((below) => item([below.name(), ...below.aliases()].join(", "), below.description())),
    ],
    [
      "Arguments:",
      helper
        .visibleArguments(command)
        .map((argument) => item(argument.name(), argument.description)),
    ],
    [OWN_GROUP, options.filter(({ isOwn }) => isOwn).map(({ text }) => text)],
    [GLOBAL_GROUP, options.filter(({ isOwn }) => !isOwn).map(({ text }) => text)],
  ];
  const described = helper.boxWrap(sentence(command.description()), helper.helpWidth ?? 80);
  return [
    `Usage: ${usageOf(command)}`,
    "",
    described,
    "",
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([heading, lines]) => [heading, ...lines, ""]),
  ].join("\n");
}

/** `catalog courses get <id...> [flags]`. */
function usageOf(command: Command): string {
  const names = [command.name()];
  for (let above = command.parent; above !== null; above = above.parent) {
    names.unshift(above.name());
  }
  const positional = command.registeredArguments.map((argument) => {
    const inner = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${inner}>` : `[${inner}]`;
  });
  const below = command.commands.length > 0 ? ["<command>"] : positional;
  return [...names, ...below, "[flags]"].join(" ");
}

/** A summary as the first sentence of a help text. */
function sentence(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const start = first.charAt(0).toUpperCase() + first.slice(1);
  return [/[.!?]$/.test(start) ? start : `${start}.`, ...rest].join("\n");
}
