/** The fault table is complete, and its page shows all of it. */
import { expect, test } from "vitest";
import { COMMANDS } from "./commands.ts";
import { INJECTORS } from "./injectors.ts";
import { faultsPage } from "./page.ts";
import { ROUTES } from "./routes.ts";
import { CELLS, FAULTS } from "./table.ts";

test("docs/faults.md shows every fault with every command", () => {
  const page = faultsPage();
  for (const { title } of FAULTS) expect(page.split(`| ${title} |`)).toHaveLength(2);
  for (const { name } of COMMANDS) expect(page).toContain(`\`${name.split(", ")[0]}`);
  const limited = FAULTS.flatMap((fault) => ("only" in fault ? [fault.only?.length ?? 0] : []));
  const everywhere = (FAULTS.length - limited.length) * COMMANDS.length;
  expect(CELLS).toHaveLength(everywhere + limited.reduce((sum, count) => sum + count, 0));
});

test("the fault table uses every injector and every route", () => {
  const used = FAULTS.map((fault) => ("route" in fault ? fault.route : fault.injector));
  expect(new Set(used)).toEqual(new Set([...Object.keys(INJECTORS), ...Object.keys(ROUTES)]));
});

test("in the fault table, init warns where reading fails", () => {
  for (const fault of FAULTS) {
    const cells = CELLS.filter((cell) => cell.fault === fault);
    if ("only" in fault) continue;
    const failed = (name: string): boolean =>
      cells.some(({ command, outcome }) => command.name === name && outcome.code !== 0);
    const did = (without: string): boolean => cells.some((cell) => cell.without === without);
    expect(did("warned")).toBe(failed("providers ls"));
  }
});
