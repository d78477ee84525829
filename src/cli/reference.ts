/** Everything that is told of the commands, as data for documents; loads all of them. */
import type { AnyCommand } from "../kit/command.ts";
import { COMMANDS, type Group, type Leaf } from "./registry.ts";

/** A command with the words that lead to it. */
export interface ReferenceEntry {
  /** Without the program's name: `courses ls`. */
  readonly path: string;
  /** What the command and its group are called besides. */
  readonly aliases: readonly string[];
  readonly leaf: Leaf;
  readonly command: AnyCommand;
}

/** Every command that the help tells of, in its order. */
export async function loadReference(): Promise<readonly ReferenceEntry[]> {
  return await Promise.all(
    COMMANDS.flatMap((entry) =>
      "load" in entry
        ? [referenceOf(entry)]
        : entry.commands.map((leaf) => referenceOf(leaf, entry)),
    ),
  );
}

async function referenceOf(leaf: Leaf, group?: Group): Promise<ReferenceEntry> {
  const within = group === undefined ? "" : `${group.name} `;
  const aliases = [
    ...(leaf.alias === undefined ? [] : [`${within}${leaf.alias}`]),
    ...(group?.alias === undefined ? [] : [`${group.alias} ${leaf.name}`]),
  ];
  return { path: `${within}${leaf.name}`, aliases, leaf, command: await leaf.load() };
}
