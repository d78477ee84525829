/** Reads the help topics of topics.md, which are also sections of docs/commands.md. */
import { Help } from "commander";
import { paragraph } from "../base/text.ts";
import { EXIT_CODES } from "../cli/command.ts";
import { GLOBAL_FLAGS } from "../cli/globals.ts";
import { CONFIG_CHOICE, DOCUMENTED_SETTINGS, describedSetting } from "../settings/table.ts";
import {
  flagText,
  globalFlagsText,
  HELP_FLAG,
  type PageStyle,
  type TopicName,
  VERSION_FLAG,
} from "./help.ts";
import text from "./topics.md?raw";

/** A term and what it means. */
export type Row = readonly [string, string];

/** A part of a topic: a paragraph, or terms with their meanings. */
export type Part = string | readonly Row[];

/** The page of a topic, as `catalog help <name>` prints it. */
export function topicText(name: TopicName, { columns, bold }: PageStyle): string {
  const { title, parts } = TOPIC_TEXTS[name];
  const help = Object.assign(new Help(), { helpWidth: columns, minWidthToWrap: 10 });
  const texts = parts.map((part) => {
    if (typeof part === "string") return paragraph(part, columns);
    const width = Math.max(...part.map(([term]) => term.length));
    return part.map(([term, meaning]) => help.formatItem(term, width, meaning, help)).join("\n");
  });
  return `${[bold(title), ...texts].join("\n\n")}\n${globalFlagsText({ columns, bold })}\n`;
}

/** The rows of which `topics.md` has only the name. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  flags: [...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG].map((flag) => [
    flagText(flag),
    flag.description,
  ]),
  "exit-codes": Object.entries(EXIT_CODES),
  variables: [...DOCUMENTED_SETTINGS, CONFIG_CHOICE].map((setting) => [
    setting.variable,
    describedSetting(setting),
  ]),
};

const SECTION = /^## (\S+): (.*)\n\n((?:(?!## ).*\n)+)/gm;

export const TOPIC_TEXTS = Object.fromEntries(
  Array.from(text.matchAll(SECTION), ([, name, title, body = ""]) => [
    name,
    { title, parts: body.trim().split("\n\n").map(parsePart) },
  ]),
) as Readonly<Record<TopicName, { readonly title: string; readonly parts: readonly Part[] }>>;

function parsePart(block: string): Part {
  const lines = block.split("\n");
  if (!block.startsWith("- ")) return lines.join(" ");
  return lines.flatMap((line) => parseRow(line.slice("- ".length)));
}

/** `term: meaning`, or `{name}` for the rows of that name. */
function parseRow(item: string): readonly Row[] {
  const colon = item.indexOf(": ");
  return ROWS[item.slice(1, -1)] ?? [[item.slice(0, colon), item.slice(colon + 2)]];
}
