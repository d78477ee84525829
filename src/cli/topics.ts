/** The texts of the help topics, which are also sections of the manual page and of the documents. */
import { userFolder } from "../base/folders.ts";
import { joinList, paragraph } from "../base/text.ts";
import { EXIT_CODES, PRECEDENT_CODES } from "../command-support/exit-codes.ts";
import { GLOBAL_FLAGS, PROGRAM_FLAGS } from "../command-support/globals.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { type Field, WRITABLE_FIELDS } from "../course/fields.ts";
import { CONFIG_FILES } from "../settings/project-config.ts";
import {
  ALL_SETTINGS,
  CONFIG_CHOICE,
  describedSetting,
  type Setting,
  type SettingValue,
} from "../settings/table.ts";
import type { LoadedCommand } from "./command-tree.ts";
import {
  columnsText,
  commandSections,
  flagText,
  joinSections,
  type PageStyle,
  type Row,
  rootHelp,
  TOPICS,
  type TopicName,
} from "./help.ts";

/** A part of a topic: a paragraph, rows of a term and what it means, or preformatted lines. */
export type Part =
  | string
  | { readonly rows: readonly Row[] }
  | { readonly lines: readonly string[] };

interface Topic {
  readonly title: string;
  readonly term: string;
  readonly parts: readonly Part[];
}

/** The page of a topic, as `catalog help <name>` prints it. */
export function topicText(name: TopicName, { columns, bold }: PageStyle): string {
  const { title, parts } = TOPIC_TEXTS[name];
  const texts = parts.map((part) => {
    if (typeof part === "string") return paragraph(part, columns);
    if ("rows" in part) return columnsText(part.rows, columns);
    return part.lines.map((line) => `  ${line}`).join("\n");
  });
  return joinSections([bold(title), ...texts]);
}

/** The environment variables: those of the settings first, then those that other programs read, too. */
export const VARIABLES: readonly Row[] = [
  ...ALL_SETTINGS.map((setting): Row => [setting.variable, describedSetting(setting)]),
  [CONFIG_CHOICE.variable, CONFIG_CHOICE.description],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxy to use, and hosts to connect to directly"],
  ["NODE_EXTRA_CA_CERTS", "file of additional certificate authorities to trust"],
  ["NO_COLOR", "if not empty: no colors, no hyperlinks"],
  ["FORCE_COLOR", "force colors even when not on a terminal; 0 disables them"],
  ["FORCE_HYPERLINK", "1: urls are hyperlinks on every terminal with colors; 0: on none"],
  ["CATALOG_PAGER, PAGER", "program that shows long output on a terminal; empty or cat: none"],
  ["TERM", "dumb: no colors, no progress display"],
  ["CI", 'if set (and not "false"): no prompts, no progress display'],
  [
    "GITHUB_ACTIONS",
    "true: check and push print annotations, and text from files and the service cannot run workflow commands",
  ],
  ["GITHUB_STEP_SUMMARY", "file that --report markdown=… appends to instead of replacing"],
  ["XDG_CONFIG_HOME", "folder of your config, catalog/config.json (default ~/.config)"],
  [
    "XDG_STATE_HOME",
    "folder of the records of past runs, catalog/history/ (default ~/.local/state)",
  ],
];

export const TOPIC_TEXTS: Readonly<Record<TopicName, Topic>> = {
  flags: {
    title: "Global flags",
    term: "flag",
    parts: [
      "These flags work with every command, before or after it.",
      {
        rows: [...GLOBAL_FLAGS, ...PROGRAM_FLAGS].map(
          (flag): Row => [flagText(flag), flag.description],
        ),
      },
    ],
  },
  "exit-codes": {
    title: "Exit codes",
    term: "code",
    parts: [
      "The exit code tells scripts how a command ended. Every failure is also reported on standard error; with --json, as one JSON object per line.",
      { rows: Object.entries(EXIT_CODES) },
      `If several things failed, the exit code is the first that applies of ${joinList(PRECEDENT_CODES.map(String), "and")}. 2 is always decided before any request is sent. 7 is used only if nothing failed.`,
    ],
  },
  environment: {
    title: "Environment",
    term: "variable",
    parts: [
      "A variable overrides the config files, and a flag overrides a variable. An empty variable counts as not set.",
      { rows: VARIABLES },
      "The key has no flag, because process lists and shell histories would show it. CATALOG_API_KEY is sent to the base URL in effect.",
    ],
  },
  config: {
    title: "Settings",
    term: "config key",
    parts: [
      'Each setting has the value of the first source that sets it: flag, environment variable, project config, your own config, default. "catalog status" shows every value and its source, without the key.',
      { rows: ALL_SETTINGS.map(settingRow) },
      `The project config is searched for from the current folder upward: ${joinList(CONFIG_FILES)}; in package.json, under the key "catalog". --config names another file. It must be a regular file of at most 1 MB; it is data and never executed.`,
      {
        lines: [
          "# .catalogrc",
          "baseUrl: https://api.catalog.example",
          "profiles:",
          "  test: { baseUrl: https://test.catalog.example }",
        ],
      },
      "The setting profiles contains profiles by name. --profile or CATALOG_PROFILE selects one; its settings override those outside profiles. A project can only select its own profiles.",
      "A project config is refused if it or its folder belongs to another user or can be written by others, unless --config names it. A base URL from a project is announced in a line before the key is sent there; login, init and completion do not use it.",
      `Your own config is ~${userFolder("config", { environment: { HOME: "/" }, platform: "linux" })}/config.json, with the same keys. "catalog login" writes it so that only you can read it, and "catalog logout" removes the key. A saved key is only ever sent to the base URL saved with it, regardless of flags, environment or project config.`,
    ],
  },
  files: {
    title: "Course files",
    term: "field",
    parts: [
      'A course file is YAML (.yaml, .yml), JSON (.json), NDJSON (.ndjson, .jsonl), CSV (.csv) or TSV (.tsv). It contains one course, a list of courses, or several YAML documents; in NDJSON one course per line, and in CSV and TSV one per row. "catalog courses init intro.yaml" writes a starter file, and with the output of "catalog schema" an editor completes and checks the fields.',
      { rows: WRITABLE_FIELDS.map(fieldRow) },
      `${PROVIDER_KEY} can be given instead of provider_id: the slug, domain or name of one of your providers. key can identify a course by your own number instead of its id or url, and is never sent. Keys that begin with x- are ignored, and so are fields that only the service sets. null means not set, and clears the field in an update.`,
      "The header of a CSV or TSV file contains field names, or paths such as prices[0].currency. Objects and lists are written as JSON, as -o csv prints them, and lists of codes also as en, pt-BR. An empty cell leaves the field out; null clears it in an update. The delimiter may be a comma, a semicolon or a tab.",
      "catalog.defaults.yaml in a folder contains values for the fields that the course files in it and below it leave out; the nearest folder wins, field by field. It is not a course file, and adds nothing to partial updates.",
      "A folder includes every such file below it, except hidden folders, node_modules and what a file .catalogignore excludes, which has the syntax of .gitignore. package.json, package-lock.json, tsconfig.json, *.schema.json and the config files of this program are not treated as course files. A link is followed only to a file inside the folder. - is standard input.",
      'YAML is read as YAML 1.2: dates and the word no remain strings. A duplicate key is an error. "catalog courses check" reports every mistake with its location; "catalog courses check --explain <rule>" explains a rule.',
    ],
  },
};

function settingRow({ configKey, description, flag, variable }: Setting<SettingValue>): Row {
  const ways = [description, ...(flag === undefined ? [] : [`--${flag}`]), variable];
  return [configKey, ways.join("; ")];
}

function fieldRow({ name, required, description }: Field): Row {
  return [name, required === true ? `${description} Required.` : description];
}

/** The manual, as `catalog help --man` prints it. It contains the same as the manual page. */
export function manualText(commands: readonly LoadedCommand[], style: PageStyle): string {
  const pages = [
    rootHelp(style),
    ...commands.map((loaded) => joinSections(commandSections(loaded, style))),
    ...TOPICS.map(({ name }) => topicText(name, style)),
  ];
  return pages.join("\n");
}
