/** Runs a cell of the fault table, and compares the result with the table. */
import { describe, expect, test } from "vitest";
import { BLOWS } from "./blows.ts";
import type { Command } from "./commands.ts";
import type { Group } from "./fault.ts";
import { LINES, type Line, TWO } from "./lines.ts";
import { type Came, runLine } from "./run.ts";
import type { Aim, Blow } from "./server.ts";
import { CELLS, type Cell, FAULTS } from "./table.ts";
import { WAYS } from "./ways.ts";

/** A line of a stack trace. */
const STACK = /^\s+at .*[:(]/m;
/** How a message says that the outcome is unknown. */
const UNSURE = /may (have been (created|changed)|be gone|have taken effect)/i;
/** No request takes longer than five minutes in all; in milliseconds. */
const BUDGET = 300_000;

/** Tests every cell of a group: each has a service, a folder and a clock of its own. */
export function testFaults(group: Group): void {
  const faults = FAULTS.filter((fault) => fault.group === group);
  describe.concurrent.each(faults)("$title", (fault) => {
    const cells = CELLS.filter((cell) => cell.fault === fault);
    test.each(cells.map((cell) => [cell.command.name, cell] as const))("%s", async (_, cell) => {
      await checkCell(cell);
    });
  });
}

/** Runs the cell and checks all of it. */
async function checkCell(cell: Cell): Promise<void> {
  const line = LINES[cell.command.name];
  const { fault } = cell;
  const came =
    "way" in fault
      ? await runLine(line, { way: WAYS[fault.way] })
      : await runLine(line, { aim: aimOf(cell.command, BLOWS[fault.blow], fault.lasts) });
  expect(came.code, told(came)).toBe(cell.outcome.code);
  checkMessage(cell, line, came);
  checkRequests(cell, came);
  checkService(cell, line, came);
  checkFiles(cell, line, came);
  checkTime(cell, came);
}

/** What a failed check is told beside, to see what happened. */
function told({ code, stderr, requests }: Came): string {
  return [`exit ${code}`, ...requests, stderr].join("\n");
}

/** Strikes the command's own request, and if it lasts every one after it. */
function aimOf({ strikes }: Command, blow: Blow, lasts: "once" | "on"): Aim {
  let struck = false;
  return (line) => {
    const first = !struck && strikes.test(line);
    struck ||= first;
    return first || (struck && lasts === "on") ? blow : undefined;
  };
}

function checkMessage(cell: Cell, line: Line, came: Came): void {
  const { fault, outcome, without, says } = cell;
  const { stdout, stderr } = came;
  expect(stderr + stdout).not.toMatch(STACK);
  expect(stderr).not.toContain("went wrong inside");
  if (says !== undefined) expect(stderr).toContain(says);
  if (without === "silent") {
    expect({ stdout, stderr }).toEqual({ stdout: ":end\n", stderr: "" });
  } else if (without === "warned") {
    expect(stderr).toMatch(/^warning: .*\n/);
  } else if (outcome.code === 0) {
    if (outcome.isDone) expect(stdout + stderr).toMatch(line.shows);
    expect(stderr).not.toMatch(/^(error|warning)/m);
  } else {
    expect(stderr.match(/^(\S+:\d+:\d+: )?error: /gm)).toHaveLength(1);
    if ("hint" in fault) expect(stderr).toContain(`hint: ${fault.hint}`);
    expect(UNSURE.test(stderr)).toBe(outcome.isUnsure === true);
    checkFailedOutput(cell, stdout);
  }
}

/** What a failed run leaves on standard output: nothing, or whole data. */
function checkFailedOutput({ fault, command }: Cell, stdout: string): void {
  const { tells, part } = command;
  if (part.startsWith("raw")) return;
  const isNothing = tells === undefined || (tells === "rows before" && "way" in fault);
  if (isNothing) expect(stdout).toBe("");
  else if (tells === "rows before") expect(stdout.split("\n")).toHaveLength(101);
  else expect(stdout).toMatch(/\n$/);
}

function checkRequests({ fault, command, outcome }: Cell, { requests, strayed }: Came): void {
  expect(strayed).toBe(0);
  const kinds = requests.map(kindOf);
  if ("way" in fault && outcome.code !== 0) {
    expect(requests).toEqual(Array(outcome.sends).fill(requests[0]));
    expect(kinds[0]).toBe(command.usual[0]);
    return;
  }
  expect(requests.filter((line) => command.strikes.test(line))).toHaveLength(outcome.sends);
  const { sends, lookUps } = outcome;
  if (command.part === "create") {
    expect(kinds.filter((kind) => kind === "course")).toHaveLength(lookUps);
  }
  const most = command.usual.length + sends - 1 + lookUps;
  if (outcome.code !== 0) expect(requests.length).toBeLessThanOrEqual(most);
  else if (sends + lookUps > 1) expect(requests).toHaveLength(most);
  else expect(kinds).toEqual(command.usual);
  if (command.part !== "read") return;
  const isWritten = outcome.code === 0 || command.hasWritten === true;
  expect(kinds.filter(isWrite)).toEqual(isWritten ? command.usual.filter(isWrite) : []);
}

/** What a request is, in the words of `usual`. */
function kindOf(line: string): string {
  const [method = "", url = ""] = line.split(" ");
  if (method !== "GET") return method;
  if (url.endsWith("/providers")) return "providers";
  return url.includes("?id=") ? "course" : "courses";
}

function isWrite(kind: string): boolean {
  return /^[A-Z]/.test(kind);
}

/** Nothing twice, nothing half, and nothing beside what the command is for. */
function checkService({ fault, command, outcome, without }: Cell, line: Line, came: Came): void {
  const before = line.held ?? TWO;
  const hasWritten = command.hasWritten === true && !("way" in fault);
  const isDone = hasWritten || (outcome.isDone && without === undefined);
  const expected = isDone ? (line.after ?? before) : before;
  expect(byUrl(came.held)).toHaveLength(expected.length);
  expect(byUrl(came.held)).toMatchObject(byUrl(expected));
}

function byUrl(courses: Came["held"]): Came["held"] {
  return [...courses].sort((one, other) => (String(one.url) < String(other.url) ? -1 : 1));
}

function checkFiles({ command, outcome }: Cell, { makes }: Line, { files, requests }: Came): void {
  if (makes === undefined) {
    expect(files).toEqual([]);
    return;
  }
  const isBackup = requests.some((line) => line.startsWith("DELETE "));
  const isMade = outcome.code === 0 || isBackup || command.part === "optional";
  expect(files.filter((file) => makes.test(file)).length > 0).toBe(isMade);
  expect(files.filter((file) => !makes.test(file))).toEqual([]);
}

function checkTime({ fault, command, outcome }: Cell, { waited }: Came): void {
  expect(waited).toBeLessThanOrEqual(BUDGET + 1000);
  if (!("pauses" in fault) || outcome.sends + outcome.lookUps === 1) return;
  if (fault.pauses === undefined || command.part === "ask") return;
  const [least, most] = fault.pauses;
  expect(waited).toBeGreaterThanOrEqual(least * 1000);
  expect(waited).toBeLessThanOrEqual(most * 1000);
}
