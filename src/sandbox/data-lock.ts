/**
 * Keeps a data file to one sandbox (cli.md section 9, `--data`).
 *
 * In a folder beside the file each sandbox that wants it puts a claim, an empty file whose name says
 * which process it is, and only then looks at the others. A claim that has something in it holds the
 * file. Of two that claim at once each sees the other, and the lesser name goes on. No two claims
 * have one name, so that removing that of a killed sandbox never removes another's.
 */

import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeError } from "../base/atomic-write.ts";
import type { Clock } from "../base/clock.ts";
import { type CatalogError, systemCode, usageError } from "../base/errors.ts";
import type { Processes } from "../base/processes.ts";
import { type Claimant, claimantOf, lives, ownClaimant } from "./data-claimant.ts";

/** What keeps others from a file. */
export interface Lock {
  /** A place of this sandbox's own on the file's disk, for what it must not show yet. */
  readonly draft: string;
  /** Gives the file back. */
  release(): Promise<void>;
}

/** What the lock asks of the world. */
export interface LockNeeds {
  readonly processes: Processes;
  readonly clock: Pick<Clock, "now" | "sleep">;
}

/** What a killed sandbox was writing; no claim has this name. */
const DRAFT = "new";
/** Milliseconds between two signs of life. */
const BEAT = 2000;
/** Milliseconds between two looks at others who claim the file too. */
const PAUSE = 5;
/** So many looks at most; one who has not decided by then is no sandbox that works. */
const MOST_LOOKS = 2000;

/**
 * Takes the file, also from a sandbox that was killed.
 *
 * @param file the file as messages call it
 * @param path its absolute path, which is that of no link
 * @throws CatalogError of kind `usage` when a sandbox that runs has it, `output` when the system
 * refuses
 */
export async function lockData(file: string, path: string, needs: LockNeeds): Promise<Lock> {
  const folder = `${path}.lock`;
  const own = await ownClaimant(needs.processes.own, randomUUID());
  const claim = join(folder, own.name);
  const withdraw = async (): Promise<void> => {
    await rm(claim, { force: true });
    // Others may be in there, or have been quicker.
    await rmdir(folder).catch(() => undefined);
  };
  try {
    await announce(folder, claim);
    try {
      await win(file, folder, own, needs);
    } catch (cause) {
      await withdraw();
      throw cause;
    }
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") throw usageError(`there is no folder for ${file}`);
    throw writeError(`${file}.lock`, cause);
  }
  const beat = setInterval(() => {
    const now = needs.clock.now() / 1000;
    utimes(claim, now, now).catch(() => undefined);
  }, BEAT);
  beat.unref();
  return {
    draft: join(folder, DRAFT),
    release: async () => {
      clearInterval(beat);
      await withdraw();
    },
  };
}

/** Puts the claim there. Whoever looks after this sees it. */
async function announce(folder: string, claim: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await mkdir(folder, { mode: 0o700 }).catch((cause: unknown) => {
      if (systemCode(cause) !== "EEXIST") throw cause;
    });
    try {
      await writeFile(claim, "", { flag: "wx", mode: 0o600 });
      return;
    } catch (cause) {
      // Another gave the file back, and the folder with it.
      if (systemCode(cause) !== "ENOENT" || tries === MOST_LOOKS) throw cause;
    }
  }
}

/** Comes to hold the file. @throws CatalogError when another does, or comes to */
async function win(
  file: string,
  folder: string,
  own: Claimant,
  { processes, clock }: LockNeeds,
): Promise<void> {
  for (let looks = 1; ; looks++) {
    const others = await othersIn(folder, own);
    const dead: string[] = [];
    let rivals = 0;
    for (const other of others) {
      if (!(await lives(other, own, processes, clock.now()))) dead.push(other.name);
      // A greater one that looked before this one came will hold it; else it will see this one.
      else if (other.holds || other.name < own.name || looks === MOST_LOOKS)
        throw inUse(file, other);
      else rivals++;
    }
    if (rivals === 0) {
      await writeFile(join(folder, own.name), "holds");
      for (const name of [...dead, DRAFT]) await rm(join(folder, name), { force: true });
      return;
    }
    await clock.sleep(PAUSE);
  }
}

interface Other extends Claimant {
  readonly holds: boolean;
  /** When it last gave a sign of life. */
  readonly seen: number;
}

async function othersIn(folder: string, own: Claimant): Promise<Other[]> {
  const others: Other[] = [];
  for (const name of await readdir(folder)) {
    const claimant = claimantOf(name);
    if (claimant === undefined || name === own.name) continue;
    // It may have been withdrawn a moment ago.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined)
      others.push({ ...claimant, holds: found.size > 0, seen: found.mtimeMs });
  }
  return others;
}

function inUse(file: string, { process }: Claimant): CatalogError {
  return usageError(
    `${file} is in use by the sandbox of process ${process}`,
    "Stop that one first, or name another file.",
  );
}
