/** Renders docs/faults.md from the fault table. */
import { COMMANDS, type CommandName } from "./commands.ts";
import type { Fault, Group, Outcome, RouteFault } from "./fault.ts";
import { type Cell, expectedCell, FAULTS, isAffected } from "./table.ts";

/** Commands with the same outcome under every fault. */
interface Column {
  readonly title: string;
  readonly parts: readonly Cell["command"]["part"][];
}

const COLUMNS: readonly Column[] = [
  { title: "Reading", parts: ["read"] },
  { title: "Creating", parts: ["create"] },
  { title: "Updating", parts: ["change"] },
  { title: "Deleting", parts: ["delete"] },
  { title: "`login`, `status`", parts: ["ask"] },
  { title: "`api GET`", parts: ["raw read"] },
  { title: "`api PATCH`", parts: ["raw change"] },
];

const INTRODUCTION = `<!-- Written by tools/scripts/generate-faults.mjs from the fault table in test/faults. -->

# Failure modes

Networks lose responses, servers fail halfway, and proxies send pages instead of what was requested.
This page describes how \`catalog\` handles each fault: whether it retries, how it ends, which message
it prints, and what the service contains afterwards. Every cell is a test: the command runs against a
server that produces exactly this fault in front of a real sandbox, and the test compares its exit
code, its message, its requests and the resulting courses with the table.

In every case:

- No course is created twice. A request to create a course that got no clear response is never sent
  again before the course is looked up by its id and, except after a 503, by its url.
- Nothing is written before everything is read and checked; a command that fails while it reads has
  changed nothing.
- If the outcome is unknown, the message says so. It says that the course may have been created,
  changed or deleted, and which command shows it.
- The exit code never reports a failure as success: 1 means rejected, 4 that the API key is not
  accepted, 6 that the service could not be reached or kept failing.
- An attempt ends after 30 seconds (\`--timeout\`), a request with all its attempts after five minutes.
  \`Retry-After\` is honored, up to a minute.
- The API key is only sent to the service: no redirect is followed, and no message shows the key.
- Before anything is deleted, the complete courses are recorded, and the message names the run to undo.

## How to read the tables

Each fault hits the request that does the command's actual work. "Once" means that only this request
is affected, and the next attempt is not; otherwise every request from that one on is affected.
`;

const LEGEND: readonly (readonly [string, string])[] = [
  ["done", "Exit code 0, after one attempt."],
  ["done, 2 attempts", "Exit code 0; the request was sent that many times and took effect once."],
  [
    "done, looked up",
    "Exit code 0; the response was lost or unclear, a look-up showed that the service had done it, and nothing was sent again.",
  ],
  [
    "exit 6, 5 attempts",
    "It failed with that exit code after that many attempts. The service did nothing.",
  ],
  [
    "exit 6, unsure",
    "It failed, and it is unknown whether the service did it; the message says so, and how to check.",
  ],
  [
    "exit 6, was done",
    "The response was incomplete, but its status showed that the service had done it; the message says so.",
  ],
  ["–", "This fault does not affect the request."],
  ["shown", "Exit code 0: `catalog api` prints any response as it is."],
];

const AFTERWORD = `
Four more rules apply to all tables:

- Before the first change, a run names its target with the account's provider. That request is sent
  once; if it fails, the line lacks the provider, and the run continues.
- \`courses init\` always writes its file: if reading fails, with an example provider and a warning.
  Shell completion offers ids if \`login\` would succeed, and otherwise nothing; it never prints an
  error.
- \`courses ls --all\` has already printed the pages that it received, in complete lines; the exit code
  shows that courses are missing. \`courses check --online\` still reports what it finds without the
  service.
- \`courses push --verify\` that fails while it verifies has written everything; the exit code shows
  that it could not be verified.
`;

const GROUPS: readonly (readonly [group: Group, title: string, says: string])[] = [
  [
    "connection",
    "The connection",
    "Reading, updating and deleting can be repeated safely. A deletion that finds no course has succeeded, if a look-up finds none either.",
  ],
  [
    "body",
    "The response body",
    "A creation or change with a success status and no hint is done, even if the body cannot be read. A deletion is done if its response has no body; otherwise the course is looked up. An HTML page is never a response of the service, with any status: only `api GET` prints it unchanged.",
  ],
  [
    "status",
    "Statuses",
    "429, 502, 503, 504 and a 500 without a hint are transient and are retried; a 500 with a hint is how the service rejects a request. After any other status of 500 or more, and 408, 425 and 499, the course is looked up.",
  ],
  [
    "behavior",
    "Unexpected behavior",
    "Some services and proxies work, but not as documented. A listing ends only at an empty page after a short one, and a course is deleted only if the status is 204 or a look-up finds nothing. A creation or change with 202, or with another success status and a hint, is looked up.",
  ],
  [
    "route",
    "The route to the service",
    "These faults affect every request. The first one fails, so nothing has been written.",
  ],
];

/** The complete page. @throws Error if commands of one column have different outcomes */
export function faultsPage(): string {
  const legend = LEGEND.map((entry) => row(...entry));
  const parts = [
    INTRODUCTION,
    [row("Column", "Commands"), row("---", "---"), ...COLUMNS.map(commandsRow)].join("\n"),
    `Not in the table, because they work without a response: ${named(["naming", "optional", "silent"])}; see below.`,
    [row("Cell", "Meaning"), row("---", "---"), ...legend].join("\n"),
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
    row("Fault", ...COLUMNS.map(({ title }) => title), "Message"),
    row("---", ...COLUMNS.map(() => "---"), "---"),
    ...faults.map((fault) =>
      row(fault.title, ...COLUMNS.map((column) => ending(fault, column)), saying(fault)),
    ),
  ].join("\n");
}

function ending(fault: Fault | RouteFault, { title, parts }: Column): string {
  const commands = COMMANDS.filter(
    (command) => parts.includes(command.part) && isAffected(fault, command),
  );
  const [first = "–", ...others] = new Set(
    commands.map((command) => word(expectedCell(fault, command))),
  );
  if (others.length === 0) return first;
  throw new Error(
    `${title} has several outcomes for: ${fault.title}: ${[first, ...others].join("; ")}`,
  );
}

/** One cell, as the legend explains it. */
function word({ command, outcome }: Cell): string {
  const parts = [endOf(outcome, command.part)];
  if (outcome.attempts > 1) parts.push(`${outcome.attempts} attempts`);
  else if (outcome.code === 0 && outcome.lookUps > 0) parts.push("looked up");
  if (outcome.isUncertain) parts.push("unsure");
  else if (outcome.code !== 0 && outcome.isDone) parts.push("was done");
  return parts.join(", ");
}

function endOf({ code, isDone }: Outcome, part: Cell["command"]["part"]): string {
  if (code !== 0) return `exit ${code}`;
  return part.startsWith("raw") && !isDone ? "shown" : "done";
}

function saying(fault: Fault | RouteFault): string {
  const hint = "hint" in fault ? `; ${fault.hint}` : "";
  return fault.says === null ? "" : `“${fault.says}”${hint}`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
