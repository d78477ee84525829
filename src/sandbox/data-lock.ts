/** Keeps a data file to one sandbox (cli.md section 9, `--data`). */
import { randomUUID } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { Clock } from "../base/clock.ts";
import { CatalogError, systemCode, usageError } from "../base/errors.ts";
import type { Processes } from "../base/processes.ts";
import { isMapping } from "../base/values.ts";

/** Who holds a file. A number is given to another process after a while, a time of birth is not. */
interface Holder {
  readonly process: number;
  readonly born: string;
}

/** Milliseconds after which a taking over that has not ended never will. */
const PATIENCE = 10_000;

/**
 * Takes the file, or takes it over from a sandbox that was killed.
 *
 * @returns gives it back
 * @throws CatalogError of kind `usage` when a sandbox that runs has it, `output` when the system refuses
 */
export async function lockData(
  file: string,
  path: string,
  processes: Processes,
  clock: Pick<Clock, "now">,
): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  const own: Holder = { process: processes.own, born: await birthOf(processes.own) };
  try {
    if (!(await created(lock, own))) await takeOver(file, lock, own, processes, clock.now());
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw new CatalogError(
      "output",
      `could not write ${file}.lock: ${systemCode(cause) ?? cause}`,
      {
        file,
        cause,
      },
    );
  }
  return () => rm(lock, { force: true });
}

async function takeOver(
  file: string,
  lock: string,
  own: Holder,
  processes: Processes,
  now: number,
): Promise<void> {
  // Two that find a dead holder must not both remove its lock, one of them a new one.
  const turn = `${lock}.turn`;
  await removeStale(turn, now);
  if (!(await created(turn, own))) throw inUse(file, undefined);
  try {
    const holder = await holderOf(lock);
    if (holder !== undefined && (await lives(holder, processes))) throw inUse(file, holder.process);
    await rm(lock, { force: true });
    if (!(await created(lock, own))) throw inUse(file, undefined);
  } finally {
    await rm(turn, { force: true });
  }
}

/** Writes the file unless it is there; whoever sees it sees all of it. */
async function created(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (cause) {
    if (systemCode(cause) === "EEXIST") return false;
    throw cause;
  } finally {
    await rm(draft, { force: true });
  }
}

async function removeStale(path: string, now: number): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && now - found.mtimeMs > PATIENCE) await rm(path, { force: true });
}

/** Who is named in a lock; undefined when it is gone, or was cut off while it was written. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isMapping(value) && typeof value.process === "number" && typeof value.born === "string"
      ? { process: value.process, born: value.born }
      : undefined;
  } catch {
    return undefined;
  }
}

async function lives({ process, born }: Holder, processes: Processes): Promise<boolean> {
  return processes.isRunning(process) && born === (await birthOf(process));
}

/**
 * When a process began, in words of the system that no other process shares; empty where it does
 * not tell, and then its number has to do.
 */
async function birthOf(id: number): Promise<string> {
  try {
    const [boot, process] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readFile(`/proc/${id}/stat`, "utf8"),
    ]);
    // The name of the program stands in brackets and may hold anything; the time is field 22.
    const fields = process.slice(process.lastIndexOf(")") + 2).split(" ");
    return `${boot.trim()} ${fields[19] ?? ""}`;
  } catch {
    return "";
  }
}

function inUse(file: string, holder: number | undefined): CatalogError {
  const who = holder === undefined ? "another sandbox" : `the sandbox of process ${holder}`;
  return usageError(`${file} is in use by ${who}`, "Stop that one first, or name another file.");
}
