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

const INTRODUCTION = `<!-- Written by npm run documents from the fault table in test/faults. -->

# Failure modes

Networks lose responses, servers fail halfway, and proxies send pages instead of the requested data.
In short:

| What goes wrong | What \`catalog\` does | What you do |
| --- | --- | --- |
| The connection drops once, or the service is busy for a moment | It tries again and exits with 0. | Nothing. |
| The response to a creation is lost | It looks up the course before it tries again. | Nothing. |
| The service cannot be reached or keeps failing | It stops after seven attempts or five minutes and exits with 6. | Run the same command again later. |
| A change got no response that says what happened, and no look-up shows the result | It exits with 6, and says that the course may have been created, changed or deleted. | Run the same command again. |
| The service rejects a request | It prints the reason and exits with 1. | Correct the file and push again. |
| The service rejects the API key | It exits with 4. | Run \`catalog status\` to see where the key comes from, then \`catalog login\`. |
| A login page, a redirect or a proxy responds instead of the service | It follows nothing and exits with 1 or 6. | Check the base URL and the proxy. |

What you can rely on:

- No course is created twice. If a response is lost, \`catalog\` looks for the course by its id before it
  tries again.
- \`catalog\` changes nothing before it has read and checked everything, so a command that fails while
  it reads has changed nothing.
- If a result is uncertain, the message says so: the course may have been created, changed or deleted.
  \`catalog undo\` counts it as changed.
- The exit code never reports a failure as success: 1 means that the service rejected a request, 4 that
  it rejected the API key, and 6 that it could not be reached or kept failing.
- An attempt ends after 30 seconds (\`--timeout\`), and a request with all its attempts after five
  minutes. Between attempts, \`catalog\` waits as long as \`Retry-After\` requests, but at most a minute.
- \`catalog\` sends your API key only to the service: it follows no redirect, and no message shows the
  key.
- Before \`catalog\` deletes courses, it saves them completely in an undo record. The message names the
  run to undo.

The tables below show how each command handles each fault: whether it retries, how it ends, which
message it prints, and what the service contains afterwards. Every cell is a test. The command runs
against a server that produces exactly this fault in front of a real sandbox, and the test compares
the exit code, the message, the requests and the resulting courses with the table.

## How to read the tables

Each fault affects the request that does the command's actual work. "Once" means that the next
attempt is not affected. In the other rows, every later request is also affected.
`;

const LEGEND: readonly (readonly [string, string])[] = [
  ["done", "Exit code 0 after one attempt."],
  ["done, 2 attempts", "Exit code 0. The request was sent that many times and took effect once."],
  [
    "done, looked up",
    "Exit code 0. The response was lost or did not show the result. A look-up showed that the service had done the work, so nothing was sent again.",
  ],
  [
    "exit 6, 7 attempts",
    "The command failed with that exit code after that many attempts. The service did nothing.",
  ],
  [
    "exit 6, uncertain",
    "The command failed, but the service may have done the work. The message says so.",
  ],
  ["–", "This fault does not affect the request."],
  ["shown", "Exit code 0. `catalog api` prints any response unchanged."],
];

const AFTERWORD = `
Three more rules apply to all tables:

- \`courses init\` always writes its file. If it cannot read your providers, it writes a placeholder
  for the provider and prints a warning.
- If \`courses ls --all\` fails, it has already printed the pages that arrived, in complete lines; the
  exit code shows that courses are missing. \`courses check --online\` still reports the problems that
  it finds without the service.
`;

const GROUPS: readonly (readonly [group: Group, title: string, says: string])[] = [
  [
    "connection",
    "The connection",
    "Reading, updating and deleting can be repeated safely. A repeated deletion that finds no course has succeeded if a look-up also finds none.",
  ],
  [
    "body",
    "The response body",
    "A change is done if a complete response with a success status arrives, unless it is an HTML page, which the service never sends. `catalog api` prints such a page unchanged.",
  ],
  [
    "status",
    "Statuses",
    "`catalog` retries after 429, 502, 503, 504 and a 500 without a hint, because these failures are temporary. With a 500 and a hint, the service rejects a request. After 500 without a hint, 502, 503 without `Retry-After`, and 504, a change may have taken effect, so `catalog` looks up the course.",
  ],
  [
    "behavior",
    "Unexpected behavior",
    "After a rejected creation, `catalog` looks up the course. If it has the same values, it is unchanged, and there is nothing to undo.",
  ],
  [
    "route",
    "The route to the service",
    "These faults affect every request. The first request already fails, so nothing has been changed.",
  ],
];

/** The complete page. @throws Error if commands of one column have different outcomes */
export function faultsPage(): string {
  const legend = LEGEND.map((entry) => row(...entry));
  const parts = [
    INTRODUCTION,
    [row("Column", "Commands"), row("---", "---"), ...COLUMNS.map(commandsRow)].join("\n"),
    `These commands also work without a response, so they are not in the tables but in the rules below: ${named(["optional"])}.`,
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
  if (outcome.isUncertain) parts.push("uncertain");
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
