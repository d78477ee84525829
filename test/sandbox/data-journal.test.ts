/** What becomes of changes that the disk takes slowly, or not at all. */
import { describe, expect, test } from "vitest";
import { type Data, dataIn } from "../../src/sandbox/data-file.ts";
import { Journal, type JournalFile } from "../../src/sandbox/data-journal.ts";
import { held } from "../../src/sandbox/held.ts";
import { version } from "./data-rig.ts";
import { numbered } from "./rig.ts";

/** A disk in memory that can be held up, and be full. */
class Disk implements JournalFile {
  bytes = Buffer.from(HEADING);
  /** How many bytes it takes altogether. */
  room = Number.POSITIVE_INFINITY;
  cannotTruncate = false;
  synced = 0;
  closed = false;
  writes = 0;
  #gate: Promise<void> = Promise.resolve();

  /** Holds every write up. @returns lets them go on */
  hold(): () => void {
    let open = (): void => undefined;
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => open();
  }

  async write(bytes: Buffer, offset: number, length: number, position: number) {
    await this.#gate;
    this.writes += 1;
    const taken = Math.min(length, this.room - position);
    if (taken <= 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    const before = this.bytes.subarray(0, position);
    this.bytes = Buffer.concat([before, bytes.subarray(offset, offset + taken)]);
    return { bytesWritten: taken };
  }

  async truncate(length: number) {
    if (this.cannotTruncate) throw new Error("no");
    this.bytes = this.bytes.subarray(0, length);
  }

  async sync() {
    this.synced += 1;
  }

  async close() {
    this.closed = true;
  }

  /** What a sandbox that is killed now leaves behind. */
  async held(): Promise<string[] | undefined> {
    const data = await this.data();
    return data?.courses.map(({ id }) => id);
  }

  async data(): Promise<Data | undefined> {
    return await dataIn("x.data", one(this.bytes));
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const HEADING =
  'c50944fd 1 {"sandbox":1,"users":[{"key":"a.1","providers":[{"id":"6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21","name":"A","slug":"a","url":"https://academy.example"}]}]}\n';

function open() {
  const disk = new Disk();
  const told: unknown[] = [];
  const undone: string[] = [];
  const journal = new Journal(disk, { length: HEADING.length, number: 1 }, (cause) =>
    told.push(cause),
  );
  const add = (number: number): Promise<void> =>
    journal.add({ put: held(version(number)) }, () => undone.push(`${number}`));
  return { disk, told, undone, journal, add };
}

/** Whether a promise has ended by now. */
async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  const soon = new Promise((resolve) => setImmediate(resolve, "later"));
  return (await Promise.race([promise.then(() => "now"), soon])) === "now";
}

describe("a slow disk", () => {
  test("has a change before it is acknowledged", async () => {
    const { disk, add } = open();
    const release = disk.hold();
    const kept = add(1);
    expect(await hasEnded(kept)).toBe(false);
    release();
    await kept;
    expect(await disk.held()).toEqual([numbered(1)]);
  });

  test("takes together what came while it was busy, in its order", async () => {
    const { disk, add } = open();
    const release = disk.hold();
    const kept = [1, 2, 3, 4, 5].map(add);
    release();
    await Promise.all(kept);
    expect(disk.writes).toBe(2);
    expect(await disk.held()).toEqual([1, 2, 3, 4, 5].map(numbered));
  });

  test("is waited for by who has seen a change that it does not have yet", async () => {
    const { disk, journal, add } = open();
    await journal.settled();
    const release = disk.hold();
    const kept = add(1);
    const seen = journal.settled();
    expect(await hasEnded(seen)).toBe(false);
    release();
    await Promise.all([kept, seen]);
    expect(disk.writes).toBe(1);
  });

  test("has all of it when the file is closed", async () => {
    const { disk, journal, add } = open();
    const release = disk.hold();
    const kept = [add(1), add(2)];
    const closed = journal.close();
    release();
    await Promise.all([...kept, closed]);
    expect(await disk.held()).toEqual([numbered(1), numbered(2)]);
    expect([disk.synced, disk.closed]).toEqual([1, true]);
  });

  test("does not get hundreds of megabytes at once", async () => {
    const { disk, journal } = open();
    const large = { ...version(1), long_description: "x".repeat(700_000) };
    const release = disk.hold();
    const kept = [1, 2, 3, 4, 5].map((number) =>
      journal.add({ put: held({ ...large, id: numbered(number) }) }, () => undefined),
    );
    release();
    await Promise.all(kept);
    expect(disk.writes).toBe(3);
    expect(await disk.held()).toHaveLength(5);
  });
});

describe("a full disk", () => {
  test("loses no change that was acknowledged, and nothing is left of the others", async () => {
    const { disk, undone, add } = open();
    await add(1);
    const { length } = disk.bytes;
    disk.room = length + 100;
    await expect(add(2)).rejects.toMatchObject({ code: "ENOSPC" });
    expect([disk.bytes.length, undone]).toEqual([length, ["2"]]);
    disk.room = Number.POSITIVE_INFINITY;
    await add(3);
    expect(await disk.held()).toEqual([numbered(1), numbered(3)]);
  });

  test("undoes the latest change first, with those that came while it was found out", async () => {
    const { disk, undone, journal, add } = open();
    disk.room = 0;
    const release = disk.hold();
    const waiting = [add(1), add(2), journal.settled(), add(3)];
    release();
    const results = await Promise.allSettled(waiting);
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    expect(undone).toEqual(["3", "2", "1"]);
    expect(await hasEnded(journal.settled())).toBe(true);
  });

  test("is told of once, and again when it had been well in between", async () => {
    const { disk, told, add } = open();
    for (const room of [0, 0, Number.POSITIVE_INFINITY, 0]) {
      disk.room = room;
      await add(1).catch(() => undefined);
    }
    expect(told).toHaveLength(2);
  });

  test("that cannot even be cut off takes nothing more, and a restart finds it whole", async () => {
    const { disk, undone, add } = open();
    await add(1);
    disk.room = disk.bytes.length + 100;
    disk.cannotTruncate = true;
    await expect(add(2)).rejects.toMatchObject({ code: "ENOSPC" });
    disk.room = Number.POSITIVE_INFINITY;
    await expect(add(3)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(undone).toEqual(["2", "3"]);
    expect(await disk.held()).toEqual([numbered(1)]);
  });
});
