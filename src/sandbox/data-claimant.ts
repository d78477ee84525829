/** Says which process claims a data file, and whether it still runs. */
import { readFile, readlink } from "node:fs/promises";
import type { Processes } from "../base/processes.ts";

/** A process that claims a file. */
export interface Claimant {
  /** That of its claim, which says all of this and that of no other. */
  readonly name: string;
  readonly process: number;
  /** When it began, as the system counts it; a number is given to another process after a while. */
  readonly born: string;
  /** The machine since it started, and the container in it: only there its number means something. */
  readonly place: string;
}

/** The claimant that this process is. */
export async function ownClaimant(process: number, nonce: string): Promise<Claimant> {
  const [born, place] = [await birthOf(process), await ownPlace()];
  return { name: [process, born, place, nonce].join("_"), process, born, place };
}

/** The claimant of that name; undefined when it is no name of a claim. */
export function claimantOf(name: string): Claimant | undefined {
  const [, process, born, place] = /^(\d+)_(\d*)_([\w-]*)_[\da-f-]{36}$/.exec(name) ?? [];
  if (process === undefined || born === undefined || place === undefined) return undefined;
  return { name, process: Number(process), born, place };
}

/** Milliseconds without a sign of life after which one that cannot be asked about is dead. */
const PATIENCE = 10_000;

/** Whether a claimant runs still. */
export async function lives(
  other: Claimant & { readonly seen: number },
  own: Claimant,
  processes: Processes,
  now: number,
): Promise<boolean> {
  const isRecent = Math.abs(now - other.seen) < PATIENCE;
  // In another container its number is that of some other process, or of none.
  if (other.place !== own.place) return isRecent;
  if (!processes.isRunning(other.process)) return false;
  const born = await birthOf(other.process);
  return born === "" || other.born === "" ? isRecent : born === other.born;
}

/** When a process began; empty where the system does not tell. */
async function birthOf(id: number): Promise<string> {
  try {
    const text = await readFile(`/proc/${id}/stat`, "utf8");
    // The name of the program stands in brackets and may hold anything; the time is field 22.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** Where numbers of processes mean what they mean here; empty where the system does not tell. */
async function ownPlace(): Promise<string> {
  try {
    const [boot, container] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readlink("/proc/self/ns/pid"),
    ]);
    return `${boot.trim()}-${container.replace(/\D/g, "")}`;
  } catch {
    return "";
  }
}
