/** The page of the fault table, and that the table is whole. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BLOWS } from "./blows.ts";
import { COMMANDS } from "./commands.ts";
import { faultsPage } from "./page.ts";
import { CELLS, FAULTS } from "./table.ts";
import { WAYS } from "./ways.ts";

test("docs/faults.md matches the fault table: npm run faults writes it", () => {
  const path = fileURLToPath(new URL("../../docs/faults.md", import.meta.url));
  expect(readFileSync(path, "utf8")).toBe(faultsPage());
});

test("every fault stands on the page with every command", () => {
  const page = faultsPage();
  for (const { title } of FAULTS) expect(page.split(`| ${title} |`)).toHaveLength(2);
  for (const { name } of COMMANDS) expect(page).toContain(`\`${name.split(", ")[0]}`);
  expect(CELLS).toHaveLength(FAULTS.length * COMMANDS.length);
});

test("every blow and every way is one of the table's", () => {
  const used = FAULTS.map((fault) => ("way" in fault ? fault.way : fault.blow));
  expect(new Set(used)).toEqual(new Set([...Object.keys(BLOWS), ...Object.keys(WAYS)]));
});

test("init warns exactly where reading fails, completion is silent exactly where login fails", () => {
  for (const fault of FAULTS) {
    const cells = CELLS.filter((cell) => cell.fault === fault);
    const failed = (name: string): boolean =>
      cells.some(({ command, outcome }) => command.name === name && outcome.code !== 0);
    const did = (without: string): boolean => cells.some((cell) => cell.without === without);
    expect([did("warned"), did("silent")]).toEqual([failed("providers ls"), failed("login")]);
  }
});
