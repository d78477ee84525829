/** Tests the fault table, cell by cell. */
import { describe, expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { COMMAND_LINES, type CommandLine, RECORD, TWO_COURSES } from "./command-lines.ts";
import { COMMANDS, type Command, type Part } from "./commands.ts";
import type { Group } from "./fault.ts";
import { INJECTORS } from "./injectors.ts";
import { ROUTES } from "./routes.ts";
import { type FaultRun, type RunOptions, withService } from "./run.ts";
import type { FaultInjector, InjectorSelector } from "./server.ts";
import { CELLS, type Cell, FAULTS, isAffected } from "./table.ts";
import { checkUndo } from "./undo.ts";

/** A line of a stack trace. */
const STACK = /^\s+at .*[:(]/m;
/** How a message says that the outcome is unknown. */
const UNCERTAIN = /may (have been (created|changed|deleted)|have taken effect)/i;
/** The time limit of one request with all its attempts, in milliseconds. */
const BUDGET = 300_000;

/**
 * Tests the cells of a group, each with a separate service, folder and clock: every cell in the long tests, and
 * otherwise every fault with one change and one other request.
 */
export function testFaults(group: Group): void {
  const faults = FAULTS.filter((fault) => fault.group === group);
  describe.concurrent.each(faults)("the fault table", (fault) => {
    const all = CELLS.filter((cell) => cell.fault === fault);
    const cells = IS_LONG ? all : all.filter(isInTurn);
    test.each(cells.map((cell) => [cell.command.name, cell] as const))(
      `%s ends as documented: ${fault.title}`,
      async (_, cell) => {
        await checkCell(cell);
      },
    );
  });
}

const CHANGES: readonly Part[] = ["create", "change", "delete"];

/** Whether it is the command's turn: those that change a course, and the others, take turns from fault to fault. */
function isInTurn({ fault, command }: Cell): boolean {
  const isChange = CHANGES.includes(command.part);
  const alike = COMMANDS.filter(
    (other) => isAffected(fault, other) && CHANGES.includes(other.part) === isChange,
  );
  return alike[FAULTS.indexOf(fault) % alike.length]?.name === command.name;
}

/** Runs the cell, checks the result, and undoes it. */
async function checkCell(cell: Cell): Promise<void> {
  const line = COMMAND_LINES[cell.command.name];
  await withService(line.before ?? TWO_COURSES, async (service) => {
    const before = service.courses();
    const result = await service.run(line, optionsOf(cell));
    checkRun(cell, line, result);
    // `catalog api` records nothing, and a run that wrote nothing leaves no record.
    if (result.files.some((file) => RECORD.test(file))) {
      // A run cannot know whether it created a course that it finds after a rejection: undo leaves it.
      const isOwn = !/Already up to date: 1 course\./.test(result.stderr);
      await checkUndo(service, isOwn ? before : result.courses);
    } else if (!cell.command.part.startsWith("raw")) expect(service.courses()).toEqual(before);
  });
}

function optionsOf({ fault, command }: Cell): RunOptions {
  if ("route" in fault) return { route: ROUTES[fault.route] };
  return {
    select: createSelector(command, INJECTORS[fault.injector], fault.lasts),
    // A redirect could be followed, which only a connection shows.
    isDirect: fault.group === "status" && !/^30\d$/.test(fault.injector),
  };
}

function checkRun(cell: Cell, line: CommandLine, result: FaultRun): void {
  expect(result.code, describeRun(result)).toBe(cell.outcome.code);
  checkMessage(cell, line, result);
  checkRequests(cell, result);
  checkService(cell, line, result);
  checkFiles(cell, line, result);
  checkTime(cell, result);
}

/** Details for the report of a failed assertion. */
function describeRun({ code, stderr, requests }: FaultRun): string {
  return [`exit ${code}`, ...requests, stderr].join("\n");
}

/** Selects the targeted request, and with `on` every request after it. */
function createSelector(
  { target }: Command,
  injector: FaultInjector,
  lasts: "once" | "on" | "all",
): InjectorSelector {
  let isActive = false;
  return (line) => {
    if (lasts === "all") return injector;
    const first = !isActive && target.test(line);
    isActive ||= first;
    return first || (isActive && lasts === "on") ? injector : undefined;
  };
}

function checkMessage(cell: Cell, line: CommandLine, result: FaultRun): void {
  const { fault, outcome, without, says } = cell;
  const { stdout, stderr } = result;
  expect(stderr + stdout).not.toMatch(STACK);
  expect(stderr).not.toContain("this is a bug in catalog");
  if (says !== undefined) expect(stderr).toContain(says);
  if (without === "warned") {
    expect(stderr).toMatch(/^warning: .*\n/);
  } else if (outcome.code === 0) {
    if (outcome.isDone) expect(stdout + stderr).toMatch(line.shows);
    expect(stderr).not.toMatch(/^(error|warning)/m);
  } else {
    expect(stderr.match(/^(\S+:\d+:\d+: )?error: /gm)).toHaveLength(1);
    if ("hint" in fault) expect(stderr).toContain(`hint: ${fault.hint}`);
    // The summary also counts changes that the service has only accepted.
    const errors = stderr.replace(/^.*\d( courses?)? may have been changed\..*$/gm, "");
    expect(UNCERTAIN.test(errors)).toBe(outcome.isUncertain === true);
    checkFailedOutput(cell, stdout);
  }
}

/** A failed run prints nothing or complete lines to standard output. */
function checkFailedOutput({ fault, command }: Cell, stdout: string): void {
  const { printsOnFailure, part } = command;
  if (part.startsWith("raw")) return;
  const isNothing =
    printsOnFailure === undefined || (printsOnFailure === "rows before" && "route" in fault);
  if (isNothing) expect(stdout).toBe("");
  else if (printsOnFailure === "rows before") expect(stdout.split("\n")).toHaveLength(101);
  else expect(stdout).toMatch(/\n$/);
}

function checkRequests({ fault, command, outcome }: Cell, { requests, strayed }: FaultRun): void {
  expect(strayed).toBe(0);
  const kinds = requests.map(kindOf);
  if ("route" in fault && outcome.code !== 0) {
    // A run that reads several things at once meets the fault with each.
    expect(requests.filter((line) => line === requests[0])).toHaveLength(outcome.attempts);
    expect(kinds.filter((kind) => kind !== kinds[0] && isWrite(kind))).toEqual([]);
    expect(command.usualRequests).toEqual(expect.arrayContaining([...new Set(kinds)]));
    return;
  }
  const first = requests.findIndex((line) => command.target.test(line));
  const writes = command.usualRequests.filter(isWrite);
  const isAlways = "lasts" in fault && fault.lasts === "all";
  // A listing with unexpected pages takes more requests.
  if (isAlways) return void expect(kinds.filter(isWrite)).toEqual(writes);
  expect(kinds.slice(0, first + 1)).toEqual(command.usualRequests.slice(0, first + 1));
  const { attempts, lookUps } = outcome;
  const repeated = requests.slice(first).filter((line) => command.target.test(line));
  const following = command.usualRequests.slice(first + 1).length;
  if (command.part === "read") {
    // Other requests of the same kind follow: later pages, and look-ups of deleted courses.
    const usual = command.usualRequests.filter((kind) => kind === kinds[first]).length;
    expect(repeated.length).toBeLessThanOrEqual(attempts + usual);
    expect(repeated.length).toBeGreaterThanOrEqual(attempts);
    const isWritten = outcome.code === 0 || command.hasWritten === true;
    expect(kinds.filter(isWrite)).toEqual(isWritten ? writes : []);
  } else {
    expect(repeated).toHaveLength(attempts);
    const lookedUp = kinds.slice(first + 1).filter((kind) => kind === "course");
    if (isWrite(kinds[first] ?? "")) expect(lookedUp).toHaveLength(lookUps);
  }
  // Before a course is created again, a look-up by id is followed by a listing to its empty last page.
  const most = attempts + 3 * Math.max(1, lookUps) + following;
  expect(requests.length - first - 1).toBeLessThanOrEqual(most);
}

/** The kind of a request, as in `usualRequests`. */
function kindOf(line: string): string {
  const [method = "", url = ""] = line.split(" ");
  if (method !== "GET") return method;
  if (url.endsWith("/providers")) return "providers";
  return url.includes("?id=") ? "course" : "courses";
}

function isWrite(kind: string): boolean {
  return /^[A-Z]/.test(kind);
}

/** The service contains exactly the expected courses. */
function checkService(
  { fault, command, outcome, without }: Cell,
  line: CommandLine,
  result: FaultRun,
): void {
  const before = line.before ?? TWO_COURSES;
  const hasWritten = command.hasWritten === true && !("route" in fault);
  const isExcused = without !== undefined;
  const isDone = hasWritten || (outcome.isDone && !isExcused);
  const expected = isDone ? (line.after ?? before) : before;
  expect(byUrl(result.courses)).toHaveLength(expected.length);
  expect(byUrl(result.courses)).toMatchObject(byUrl(expected));
}

function byUrl(courses: FaultRun["courses"]): FaultRun["courses"] {
  return [...courses].sort((one, other) => (String(one.url) < String(other.url) ? -1 : 1));
}

function checkFiles(
  { command, outcome }: Cell,
  { makes, file }: CommandLine,
  { files, hasFile, requests }: FaultRun,
): void {
  expect(hasFile).toBe(file !== undefined);
  if (makes === undefined) {
    // Every command that writes leaves the record of its run.
    expect(files.filter((file) => !RECORD.test(file))).toEqual([]);
    return;
  }
  const isRecorded = requests.some((line) => line.startsWith("DELETE "));
  const isMade = outcome.code === 0 || isRecorded || command.part === "optional";
  expect(files.filter((file) => makes.test(file)).length > 0).toBe(isMade);
  expect(files.filter((file) => !makes.test(file))).toEqual([]);
}

function checkTime({ fault, command, outcome }: Cell, { waited }: FaultRun): void {
  expect(waited).toBeLessThanOrEqual(BUDGET + 1000);
  if (!("pauses" in fault) || outcome.attempts + outcome.lookUps === 1) return;
  if (fault.pauses === undefined || command.part === "ask") return;
  const [least, most] = fault.pauses;
  expect(waited).toBeGreaterThanOrEqual(least * 1000);
  expect(waited).toBeLessThanOrEqual(most * 1000);
}
