/** Starts the program from its parts: what `bin/catalog.js` runs. */
import { join } from "node:path";
import { userFolder } from "../base/folders.ts";
import type { start as startMain } from "../main.ts";
import { readCode, writeCode } from "./code-file.ts";
import { type CodePlace, makePlace } from "./code-place.ts";
import { Parts } from "./parts.ts";

/** The commands of each word that groups some, and of each that is one: none. Put in by the build. */
declare const CATALOG_COMMANDS: Readonly<Record<string, readonly string[]>>;
/** Another one for every build whose parts differ. Put in by the build. */
declare const CATALOG_BUILD: string;

/**
 * Runs the process's command line. V8's code for what it runs is kept in the user's folder for what
 * saves time, a file a command, since to make it again takes longer than to do the work.
 *
 * @param require loads what belongs to Node.js
 * @param folder that of the program's parts
 */
export function start(process: NodeJS.Process, require: NodeJS.Require, folder: string): void {
  const kept = codePlace(process);
  const code = kept === undefined ? undefined : readCode(kept.file, kept.place);
  const flags = new Set<string>();
  const setFlag = (flag: string): void => {
    if (flags.has(flag)) return;
    flags.add(flag);
    (require("node:v8") as typeof import("node:v8")).setFlagsFromString(flag);
  };
  for (const flag of code?.flags ?? []) setFlag(flag);
  const parts = new Parts(folder, require, code?.parts ?? new Map());
  if (kept !== undefined) {
    process.on("exit", (exitCode) => {
      // A run that failed has seen little of its command.
      if (exitCode !== 0 || !parts.isNew) return;
      try {
        const made = { flags: [...flags], parts: parts.code() };
        if (makePlace(kept.place)) writeCode(kept.file, made);
      } catch {
        // It would only have saved time.
      }
    });
  }
  const main = parts.load("main.cjs") as { start: typeof startMain };
  void main.start({ setFlag });
}

/** Where the code of a command line's command is kept; undefined where it is not. */
function codePlace(process: NodeJS.Process): { place: CodePlace; file: string } | undefined {
  const { argv, env, platform, versions, arch } = process;
  const command = commandIn(argv.slice(2));
  // The variable that Node.js has for the same; and the machine of a CI job sees a command once.
  if (command === undefined || env.NODE_DISABLE_COMPILE_CACHE || env.CI) return undefined;
  const all = userFolder("cache", env, platform);
  if (all === undefined) return undefined;
  const own = join(all, `${CATALOG_BUILD}-${versions.v8}-${arch}`);
  return { place: { all, own, user: process.getuid?.() }, file: join(own, command) };
}

/** The command that a line begins with; undefined for those that load next to nothing. */
function commandIn([word = "help", next = ""]: readonly string[]): string | undefined {
  if (word === "-h" || word === "--help" || word === "help") return "help";
  // The build puts the whole list wherever its name stands: once is enough.
  const commands = CATALOG_COMMANDS;
  const below = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (below === undefined || below.length === 0) return below === undefined ? undefined : word;
  return below.includes(next) ? `${word}-${next}` : undefined;
}
