/** Reads the texts of topics.md, which are sections of docs/commands.md. */
import { readFileSync } from "node:fs";
import { EXIT_CODES } from "../../src/cli/command.ts";
import { GLOBAL_FLAGS } from "../../src/cli/globals.ts";
import { flagText, HELP_FLAG, VERSION_FLAG } from "../../src/program/help.ts";
import { describedSetting, SETTINGS } from "../../src/settings/table.ts";

export const TOPICS = ["flags", "exit-codes", "environment"] as const;

export type TopicName = (typeof TOPICS)[number];

/** A term and what it means. */
export type Row = readonly [string, string];

/** A part of a topic: a paragraph, or terms with their meanings. */
export type Part = string | readonly Row[];

const text = readFileSync(new URL("topics.md", import.meta.url), "utf8");

/** The rows of which `topics.md` has only the name. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  flags: [...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG].map((flag) => [
    flagText(flag),
    flag.description,
  ]),
  "exit-codes": Object.entries(EXIT_CODES),
  variables: Object.values(SETTINGS).map((setting) => [
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
