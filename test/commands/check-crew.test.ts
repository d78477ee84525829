/** `courses check` of many files on several threads: the same as on one, whatever becomes of the others. */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Helper, Helpers } from "../../src/command-support/system.ts";
import { help } from "../../src/helper.ts";
import { type Ran, type Rig, rig } from "../rig.ts";
import { numbered } from "./helpers.ts";

const CHECK = ["courses", "check", "courses"];
const MANY = 460;
/** Files that are not as the others. */
const ODD = new Set([7, 20, 100, 250, 300, 301, 302, 400, 451, 452]);

/** What threads in this process do with their batches. */
interface Manner {
  /** Batches after which one of them ends without a word. */
  readonly dies?: number;
  readonly most?: number;
  /** How many can be started. */
  readonly allowed?: number;
}

/** Helpers that do their work in this thread, between its turns, and how many messages they sent. */
function helpers({
  dies = Number.POSITIVE_INFINITY,
  most = 3,
  allowed = Number.POSITIVE_INFINITY,
}: Manner = {}): Helpers & {
  readonly told: { messages: number; started: number; ended: number };
} {
  const told = { messages: 0, started: 0, ended: 0 };
  return {
    told,
    most: async () => most,
    start: (task): Helper => {
      if (told.started === allowed) throw new Error("no more threads");
      told.started += 1;
      const messages: unknown[] = [];
      let onMessage: (message: unknown) => void = () => undefined;
      let onEnd: () => void = () => undefined;
      let batches = 0;
      class Dead extends Error {}
      setImmediate(() => {
        try {
          help(structuredClone(task), (message) => {
            if (++batches > dies) throw new Dead();
            messages.push(structuredClone(message));
          });
        } catch (error) {
          if (!(error instanceof Dead)) throw error;
        }
        const tell = (): void => {
          const message = messages.shift();
          if (message === undefined) {
            onEnd();
            return;
          }
          told.messages += 1;
          onMessage(message);
          setImmediate(tell);
        };
        setImmediate(tell);
      });
      return {
        onMessage: (listener) => {
          onMessage = listener;
        },
        onEnd: (listener) => {
          onEnd = listener;
        },
        end: () => {
          told.ended += 1;
        },
      };
    },
  };
}

/** A rig with many files, of which some are wrong in every way that matters here. */
async function manyFiles(): Promise<Rig> {
  const r = await rig();
  const nameOf = (number: number) => `courses/${String(number).padStart(4, "0")}`;
  const write = (number: number, text: string) => r.write(`${nameOf(number)}.yaml`, text);
  for (let number = 0; number < MANY; number++) {
    if (!ODD.has(number)) await r.write(`${nameOf(number)}.json`, JSON.stringify(numbered(number)));
  }
  await write(7, "name: [");
  await write(20, JSON.stringify(numbered(20)));
  await write(100, JSON.stringify(numbered(100, { audio: ["english"], pace: "fast" })));
  await write(250, JSON.stringify([numbered(250), numbered(900), numbered(250)]));
  await write(300, JSON.stringify(numbered(3)));
  // Holds no course, which is a mistake of another kind.
  await write(301, "");
  await write(302, `name: a\nname: b\n`);
  await write(400, JSON.stringify(Array.from({ length: 120 }, () => ({ name: 5 }))));
  await write(451, JSON.stringify(numbered(40)));
  await write(452, JSON.stringify(numbered(3, { level: ["none"] })));
  return r;
}

/** All that a run tells. */
function told({ code, stdout, stderr }: Ran) {
  return { code, stdout, stderr };
}

describe("with several threads", () => {
  test("the findings are those of one, in the same order, and all threads end with the check", async () => {
    const r = await manyFiles();
    for (const flags of [
      ["--format", "human", "--strict"],
      ["--online", "--json"],
    ]) {
      const alone = await r.run([...CHECK, ...flags]);
      const crew = helpers();
      const ran = await r.run([...CHECK, ...flags], { helpers: crew });
      expect(told(ran)).toEqual(told(alone));
      expect([ran.code, crew.told.started, crew.told.ended]).toEqual([2, 2, 2]);
      expect(crew.told.messages).toBeGreaterThan(10);
    }
  });

  test("nothing is lost where threads end early, cannot be started, or a file cannot be read", async () => {
    const r = await manyFiles();
    await chmod(join(r.folder, "courses/0020.yaml"), 0o000);
    const alone = await r.run([...CHECK, "--json"]);
    for (const manner of [{ dies: 0 }, { dies: 3 }, { allowed: 0 }, { allowed: 1 }]) {
      const ran = await r.run([...CHECK, "--json"], { helpers: helpers(manner) });
      expect({ manner, ...told(ran) }).toEqual({ manner, ...told(alone) });
    }
  });
});

describe("no thread is started", () => {
  test("for files that one checks as fast", async () => {
    const r = await rig();
    for (let number = 0; number < 200; number++) {
      await r.write(`courses/${number}.json`, JSON.stringify(numbered(number)));
    }
    const crew = helpers();
    expect(await r.run(CHECK, { helpers: crew })).toMatchObject({ code: 0 });
    expect(crew.told.started).toBe(0);
  });

  test("on a machine with one core", async () => {
    const r = await manyFiles();
    const crew = helpers({ most: 0 });
    expect((await r.run(CHECK, { helpers: crew })).code).toBe(2);
    expect(crew.told.started).toBe(0);
  });
});

test("no more threads are started than there are cores, or work for", async () => {
  const r = await manyFiles();
  const two = helpers({ most: 2 });
  await r.run(CHECK, { helpers: two });
  expect(two.told.started).toBe(2);
  const hundred = helpers({ most: 100 });
  await r.run(CHECK, { helpers: hundred });
  expect(hundred.told.started).toBe(Math.floor(MANY / 150) - 1);
});

describe("push, whose files several threads read,", () => {
  /** Many good courses, and one whose page is on a stranger's site. */
  async function manyGood(strange: boolean): Promise<Rig> {
    const r = await rig();
    for (let number = 0; number < MANY; number++) {
      const url = strange && number === 444 ? { url: "https://other.example/x" } : {};
      const text = JSON.stringify(numbered(number, url), null, 2);
      await r.write(`courses/${String(number).padStart(4, "0")}.json`, text);
    }
    return r;
  }

  test.each([
    ["diff", "--json"],
    ["push", "--json"],
  ])("does the same as with one: %s %s", async (command, ...flags) => {
    const words = ["courses", command, ...flags.filter((flag) => flag !== undefined), "courses"];
    const alone = await (await manyGood(false)).run(words);
    const crew = helpers();
    const ran = await (await manyGood(false)).run(words, { helpers: crew });
    expect(told(ran)).toEqual(told(alone));
    expect(ran.requests).toEqual(alone.requests);
    expect([ran.code, crew.told.started]).toEqual([0, 2]);
    expect(crew.told.messages).toBeGreaterThan(5);
  });

  test("finds the place in a file that only the providers tell is wrong", async () => {
    const words = ["courses", "push", "courses"];
    const alone = await (await manyGood(true)).run(words);
    const ran = await (await manyGood(true)).run(words, { helpers: helpers() });
    expect(told(ran)).toEqual(told(alone));
    expect(ran.stderr).toMatch(/courses\/0444\.json:\d+:\d+: error: url is on other\.example/);
  });

  test("tells the same of files that are wrong", async () => {
    const words = ["courses", "push", "courses"];
    const alone = await (await manyFiles()).run(words);
    const ran = await (await manyFiles()).run(words, { helpers: helpers({ dies: 2 }) });
    expect(told(ran)).toEqual(told(alone));
    expect(ran.requests).toEqual([]);
  });
});
