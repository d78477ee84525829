/** Writes docs/faults.md: the fault table as a page for whoever wonders what happens if. */
import { COMMANDS, type CommandName } from "./commands.ts";
import type { Fault, Group, Outcome, WayFault } from "./fault.ts";
import { type Cell, cellOf, FAULTS } from "./table.ts";

/** Commands that come to the same, whatever happens. */
interface Column {
  readonly title: string;
  readonly parts: readonly Cell["command"]["part"][];
}

const COLUMNS: readonly Column[] = [
  { title: "Reading", parts: ["read"] },
  { title: "Creating", parts: ["create"] },
  { title: "Changing", parts: ["change"] },
  { title: "Deleting", parts: ["delete"] },
  { title: "`login`, `status`", parts: ["ask"] },
  { title: "`api GET`", parts: ["raw read"] },
  { title: "`api PATCH`", parts: ["raw change"] },
];

const INTRODUCTION = `<!-- Written by tools/scripts/generate-faults.mjs from the fault table in test/faults. -->

# What happens if

Networks lose answers, servers fail halfway, and proxies put pages of their own in the place of what
was asked for. This page tells what \`catalog\` makes of each such fault: whether it tries again, how
it ends, what it says, and what the service holds afterwards. Every cell is a test: the command
runs against a server that does exactly this before a real sandbox, and its exit code, its message,
its requests and the courses that are there afterwards are held against the table.

Whatever happens:

- No course is created twice. A request to create one that got no clear answer is never sent again
  before its id was looked up.
- Nothing is written before everything was read and checked; a command that fails while it reads has
  changed nothing.
- What cannot be known is said. Where an answer was lost for good, the message says that the course
  may exist, may have been changed or may be gone, and which command shows it.
- Whoever reads the exit code is never told that a failure was a success: 1 is a refusal, 4 a key
  that is not taken, 6 a service that could not be reached or kept failing.
- A try ends after 30 seconds (\`--timeout\`), a request with all its tries after five minutes.
  \`Retry-After\` is honoured, up to a minute.
- The key goes to the service alone: no redirect is followed, and no message shows it.
- Before anything is deleted, the whole courses are in a file, and the message names it.

## How to read the tables

A fault strikes a command in the request in which its work is done. "Once" means that only this
request is struck, and the next try is not; otherwise every request from that one on is.
`;

const LEGEND: readonly (readonly [string, string])[] = [
  ["done", "Exit code 0, after one try."],
  ["done, 2 tries", "Exit code 0; the request was sent so many times, and took effect once."],
  [
    "done, looked up",
    "Exit code 0; the answer was lost, the new course was found by its id, and nothing was sent again.",
  ],
  [
    "exit 6, 5 tries",
    "It failed with that exit code after so many tries. The service did nothing of what was asked.",
  ],
  [
    "exit 6, unsure",
    "It failed, and cannot know whether the service did it; the message says so, and how to see.",
  ],
  [
    "exit 6, was done",
    "It failed for want of the whole answer, but the status had told that the service did it; the message says so.",
  ],
  ["shown", "Exit code 0: `catalog api` shows what came, whatever it is."],
];

const AFTERWORD = `
Three more rules hold in all tables:

- \`courses init\` writes its file in any case: where reading fails, with an example provider and a
  warning. The shell's completion offers ids where \`login\` would succeed, and otherwise nothing; it
  never prints an error.
- \`courses ls --all\` has by then printed the pages that came, in whole lines; the exit code says
  that they are not all. \`courses check --online\` still tells what it finds without the service.
- \`courses push --verify\` that fails while it verifies has written everything; the exit code says
  that it could not be verified.
`;

const GROUPS: readonly (readonly [group: Group, title: string, says: string])[] = [
  [
    "connection",
    "The connection",
    "Reading, changing and deleting can be repeated without harm. A deletion that was repeated after a lost answer, and then finds no course, has done its work.",
  ],
  [
    "body",
    "The body of the answer",
    "A write that was answered with success is done, whether or not its answer can be read. An HTML page is no answer of the service, whatever its status: only `api GET` takes it as it comes.",
  ],
  [
    "status",
    "Statuses",
    "429, 502, 503, 504 and a 500 without a hint may pass, and are tried again; a 500 with a hint is the service's way to refuse.",
  ],
  [
    "way",
    "The way to the service",
    "These strike every request of every command, so that the first one ends it: nothing has been written.",
  ],
];

/** The whole page. @throws Error where commands of one column come to different ends */
export function faultsPage(): string {
  const legend = LEGEND.map((entry) => row(...entry));
  const parts = [
    INTRODUCTION,
    [row("Column", "Commands"), row("---", "---"), ...COLUMNS.map(commandsRow)].join("\n"),
    `In no column, as they do without an answer: ${named(["optional", "silent"])}; see below.`,
    [row("Cell", "Means"), row("---", "---"), ...legend].join("\n"),
    AFTERWORD.trim(),
    ...GROUPS.map(([group, title, says]) => `## ${title}\n\n${says}\n\n${table(group)}`),
  ];
  return `${parts.map((part) => part.trim()).join("\n\n")}\n`;
}

function commandsRow({ title, parts }: Column): string {
  return row(title, named(parts));
}

function named(parts: Column["parts"]): string {
  const commands = COMMANDS.filter(({ part }) => parts.includes(part));
  return commands.map(({ name }) => spoken(name)).join("; ");
}

/** `courses push, of a new course` with its command as code. */
function spoken(name: CommandName): string {
  const [command = "", ...rest] = name.split(", ");
  return [`\`${command}\``, ...rest].join(", ");
}

function table(group: Group): string {
  const faults = FAULTS.filter((fault) => fault.group === group);
  return [
    row("What happens", ...COLUMNS.map(({ title }) => title), "It says"),
    row("---", ...COLUMNS.map(() => "---"), "---"),
    ...faults.map((fault) =>
      row(fault.title, ...COLUMNS.map((column) => ending(fault, column)), saying(fault)),
    ),
  ].join("\n");
}

function ending(fault: Fault | WayFault, { title, parts }: Column): string {
  const commands = COMMANDS.filter(({ part }) => parts.includes(part));
  const [first = "", ...others] = new Set(commands.map((command) => word(cellOf(fault, command))));
  if (others.length === 0) return first;
  throw new Error(
    `${title} has several ends when: ${fault.title}: ${[first, ...others].join("; ")}`,
  );
}

/** One cell, as the legend explains it. */
function word({ command, outcome }: Cell): string {
  const parts = [endOf(outcome, command.part)];
  if (outcome.sends > 1) parts.push(`${outcome.sends} tries`);
  else if (outcome.code === 0 && outcome.lookUps > 0) parts.push("looked up");
  if (outcome.isUnsure) parts.push("unsure");
  else if (outcome.code !== 0 && outcome.isDone) parts.push("was done");
  return parts.join(", ");
}

function endOf({ code, isDone }: Outcome, part: Cell["command"]["part"]): string {
  if (code !== 0) return `exit ${code}`;
  return part.startsWith("raw") && !isDone ? "shown" : "done";
}

function saying(fault: Fault | WayFault): string {
  const hint = "hint" in fault ? `; ${fault.hint}` : "";
  return fault.says === null ? "" : `“${fault.says}”${hint}`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
