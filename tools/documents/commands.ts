/** Loads every command, for the documents and the tests. */
import type { AnyCommand } from "../../src/cli/command.ts";
import { ENTRIES, type Entry } from "../../src/program/command-tree.ts";

export interface LoadedCommand extends Entry {
  readonly command: AnyCommand;
}

export async function loadAllCommands(): Promise<readonly LoadedCommand[]> {
  const loading = ENTRIES.flatMap((entry) =>
    entry.load === undefined ? [] : entry.load().then((command) => ({ ...entry, command })),
  );
  return await Promise.all(loading);
}
