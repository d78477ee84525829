/** Loads commands of the tree. */
import type { AnyCommand } from "../command-support/command.ts";
import { COMMANDS, type Group, type Leaf } from "./command-tree.ts";

/** A command that has been loaded. */
export interface LoadedCommand {
  /** The words that lead to it, without the program's name: `courses ls`. */
  readonly path: string;
  /** The same with other names for it or for its group. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly command: AnyCommand;
}

/** Loads one command. */
export async function loadCommand(leaf: Leaf, group: Group | undefined): Promise<LoadedCommand> {
  const prefix = group === undefined ? "" : `${group.name} `;
  const aliases = [
    ...(leaf.alias === undefined ? [] : [`${prefix}${leaf.alias}`]),
    ...(group?.alias === undefined ? [] : [`${group.alias} ${leaf.name}`]),
  ];
  return {
    path: `${prefix}${leaf.name}`,
    aliases,
    summary: leaf.summary,
    command: await leaf.load(),
  };
}

/** Loads every command, in the order of the tree; for the documents and the manual. */
export async function loadAllCommands(): Promise<readonly LoadedCommand[]> {
  return await Promise.all(
    COMMANDS.flatMap((entry) =>
      "load" in entry
        ? [loadCommand(entry, undefined)]
        : entry.commands.map((leaf) => loadCommand(leaf, entry)),
    ),
  );
}
