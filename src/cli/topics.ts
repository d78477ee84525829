/** The texts of the help's topics. */

import { userFolder } from "../base/folders.ts";
import { paragraph } from "../base/paragraph.ts";
import { joinList } from "../base/text.ts";
import { EXIT_CODES } from "../command-support/exit-codes.ts";
import { type Field, PROVIDER_KEY, WRITABLE_FIELDS } from "../course/fields.ts";
import { CONFIG_FILES } from "../settings/project.ts";
import { ALL_SETTINGS, type Setting } from "../settings/table.ts";
import { PRECEDENT_CODES } from "./exit.ts";
import { columnsText } from "./layout.ts";
import type { TopicName } from "./topic-names.ts";
import { VARIABLES } from "./variables.ts";

type Row = readonly [string, string];

/** A part of a text: a paragraph, rows of a term and what it means, or lines as they are. */
export type Part =
  | string
  | { readonly rows: readonly Row[] }
  | { readonly lines: readonly string[] };

/** The text of a topic for a terminal of that width, ending its line. */
export function topicText(name: TopicName, columns: number): string {
  const parts = TOPIC_PARTS[name].map((part) => {
    if (typeof part === "string") return paragraph(part, columns);
    if ("rows" in part) return columnsText(part.rows, columns);
    return part.lines.map((line) => `  ${line}`).join("\n");
  });
  return `${parts.join("\n\n")}\n`;
}

/** What is told of each topic. */
export const TOPIC_PARTS: Readonly<Record<TopicName, readonly Part[]>> = {
  "exit-codes": [
    "The exit code tells a script what a command came to. Whatever failed is also said on standard error; with --json each failure is one JSON object on a line of its own.",
    { rows: Object.entries(EXIT_CODES) },
    `Where several things failed in one run, the first of ${joinList(PRECEDENT_CODES.map(String), "and")} is the code. 2 is decided before any request. 7 comes only when nothing failed.`,
  ],
  environment: [
    "A variable wins over the config files, and a flag wins over a variable. An empty variable counts as none.",
    { rows: VARIABLES.map(({ name, means }): Row => [name, means]) },
    "The key has no flag, because process lists and shell histories would show it. CATALOG_API_KEY goes to the base URL in effect.",
  ],
  config: [
    'Each setting is taken from the first place that has it: its flag, its variable, the project\'s config, your own config, the default. "catalog status" shows every value and where it comes from, without the key.',
    { rows: ALL_SETTINGS.map(settingRow) },
    `The project's config is looked for from the current folder upward: ${joinList(CONFIG_FILES)}, in package.json below the key "catalog". --config names another file. It is data and never executed.`,
    {
      lines: [
        "# .catalogrc",
        "baseUrl: https://api.catalog.example",
        "profiles:",
        "  test: { baseUrl: https://test.catalog.example }",
      ],
    },
    "profiles holds named sets; --profile or CATALOG_PROFILE chooses one, and what is in it comes before what stands outside of it.",
    `Your own config is ${userFolder("config", { HOME: "~" }, "linux")}/config.json, with the same keys. "catalog login" writes it, readable by you alone, and "catalog logout" takes the key out again. A key in it goes to the base URL that stands beside it, and to no other, whatever the flags, the environment or a project say.`,
  ],
  files: [
    'A course file is YAML (.yaml, .yml) or JSON (.json) and holds one course, a list of courses, or several YAML documents. "catalog courses init intro.yaml" writes one to start from, and "catalog schema" lets an editor complete and check it.',
    { rows: WRITABLE_FIELDS.map(fieldRow) },
    `${PROVIDER_KEY} may stand in the place of provider_id: the slug, domain or name of one of your providers. Fields that only the service sets are dropped; null means not set, and clears a field in an update.`,
    "A folder means every such file below it, hidden folders and node_modules left out. package.json, package-lock.json, tsconfig.json, *.schema.json and this program's own config files are no course files. A link is followed only to a file inside the folder. - stands for standard input.",
    'YAML is read as YAML 1.2: dates stay text, and so does no. A key given twice is an error. "catalog courses check" tells every mistake with its place; "catalog courses check --explain <rule>" explains one.',
  ],
};

function settingRow({ configKey, description, flag, variable }: Setting<string | number>): Row {
  const ways = [description, ...(flag === undefined ? [] : [`--${flag}`]), variable];
  return [configKey ?? "", ways.join("; ")];
}

function fieldRow({ name, required, description }: Field): Row {
  return [name, required === true ? `${description} Required.` : description];
}
