/** Everything that is told of the commands, as data for documents; loads all of them. */
import { type Placed, placed } from "./help.ts";
import { COMMANDS } from "./registry.ts";

/** Every command that the help tells of, in its order. */
export async function loadReference(): Promise<readonly Placed[]> {
  return await Promise.all(
    COMMANDS.flatMap((entry) => {
      if ("load" in entry)
        return [entry.load().then((command) => placed(entry, undefined, command))];
      return entry.commands.map(async (leaf) => placed(leaf, entry, await leaf.load()));
    }),
  );
}
