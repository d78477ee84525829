/** Reads the help topics of topics.md, which are also sections of docs/commands.md. */
import { paragraph } from "../base/text.ts";
import { EXIT_CODES } from "../cli/exit-codes.ts";
import { GLOBAL_FLAGS } from "../cli/globals.ts";
import { type Field, WRITABLE_FIELDS } from "../course/fields.ts";
import { PRINTED_FORMATS } from "../output/formats.ts";
import {
  CONFIG_CHOICE,
  DOCUMENTED_SETTINGS,
  describedSetting,
  type Setting,
  type SettingValue,
} from "../settings/table.ts";
import {
  columnsText,
  flagText,
  HELP_FLAG,
  type PageStyle,
  type Row,
  type TopicName,
  VERSION_FLAG,
} from "./help.ts";
import text from "./topics.md?raw";

/** A part of a topic: a paragraph, rows of a term and what it means, or preformatted lines. */
export type Part =
  | string
  | { readonly rows: readonly Row[] }
  | { readonly lines: readonly string[] };

/** The page of a topic, as `catalog help <name>` prints it. */
export function topicText(name: TopicName, { columns, bold }: PageStyle): string {
  const { title, parts } = TOPIC_TEXTS[name];
  const texts = parts.map((part) => {
    if (typeof part === "string") return paragraph(part, columns);
    if ("rows" in part) return columnsText(part.rows, columns);
    return part.lines.map((line) => `  ${line}`).join("\n");
  });
  return `${[bold(title), ...texts].join("\n\n")}\n`;
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
  settings: DOCUMENTED_SETTINGS.map(settingRow),
  formats: Object.entries({
    "ls, get": PRINTED_FORMATS.courses,
    "commands that change": PRINTED_FORMATS.results,
    check: PRINTED_FORMATS.problems,
    diff: PRINTED_FORMATS.differences,
    "history, status": PRINTED_FORMATS.records,
  }).map(([commands, formats]) => [commands, formats.join(", ")]),
  fields: WRITABLE_FIELDS.map(fieldRow),
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
  if (block.startsWith("```")) return { lines: lines.slice(1, -1) };
  if (!block.startsWith("- ")) return lines.join(" ");
  return { rows: lines.flatMap((line) => parseRow(line.slice("- ".length))) };
}

/** `term: meaning`, or `{name}` for the rows of that name. */
function parseRow(item: string): readonly Row[] {
  const colon = item.indexOf(": ");
  return ROWS[item.slice(1, -1)] ?? [[item.slice(0, colon), item.slice(colon + 2)]];
}

function settingRow(setting: Setting<SettingValue>): Row {
  const { configKey, description, flag, commandFlag = flag, variable } = setting;
  const ways = [description, ...(commandFlag === undefined ? [] : [`--${commandFlag}`]), variable];
  return [configKey, ways.join("; ")];
}

function fieldRow({ name, required, description }: Field): Row {
  return [name, required === true ? `${description} Required.` : description];
}
