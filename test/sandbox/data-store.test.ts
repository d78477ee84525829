/** What a store that is kept in a file brings over a restart. */
import { chmod, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parseSeed } from "../../src/sandbox/seed.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { allOf, heldIn, newFolder, openData, version } from "./data-rig.ts";
import { change, course, created, ID, list, numbered, send, testClock } from "./rig.ts";

const A = numbered(101);
const B = numbered(102);
const SITE = "https://academy.example";

/** Two users with a provider each, and a course that is approved. */
const SEED = parseSeed(
  {
    users: [
      {
        key: "first.key",
        providers: [{ id: A, name: "A", url: SITE }],
        courses: [
          course({ id: ID, provider_id: A, approval_status: "approved", slug: "own-slug" }),
        ],
      },
      {
        key: "second.key",
        providers: [{ id: B, name: "B", url: SITE }],
        courses: [course({ id: numbered(1), provider_id: B })],
      },
    ],
  },
  testClock(),
);

/** Serves a data file until the test ends, or is told to. */
async function serve(path: string, seed = SEED) {
  const { store, close } = await openData(path, { seed: async () => seed });
  const sandbox = await startSandbox({ store, clock: testClock() });
  let closed: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    closed ??= sandbox.close().then(close);
    return closed;
  };
  onTestFinished(stop);
  return { sandbox, stop };
}

describe("over a restart", () => {
  test("come the users, their providers and courses, and what the service decides", async () => {
    const path = join(await newFolder(), "x.data");
    const answers: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const { sandbox, stop } = await serve(path);
      const seen = [];
      for (const key of ["first.key", "second.key"]) {
        const headers = { "X-Api-Key": key };
        seen.push(await send(sandbox, "GET", "/developer/v1/providers", { headers }));
        seen.push(await send(sandbox, "GET", "/developer/v1/courses", { headers }));
      }
      answers.push(seen.map(({ text }) => text));
      expect(await list(sandbox, `?id=${ID}`, { "X-Api-Key": "second.key" })).toEqual([]);
      await stop();
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(JSON.stringify(answers[0])).toContain("approved");
  });

  test("comes every answer of GET, byte for byte", async () => {
    const path = join(await newFolder(), "x.data");
    const texts: string[] = [];
    const headers = { "X-Api-Key": "first.key" };
    for (const isFirst of [true, false]) {
      const { sandbox, stop } = await serve(path);
      if (isFirst) {
        await created(sandbox, { id: numbered(7), provider_id: A, name: "編み物 \u2028" }, headers);
        await change(sandbox, numbered(7), { published: false, level: ["beginner"] }, headers);
        await created(sandbox, { provider_id: A }, headers);
      }
      for (const query of ["", "?published=false", `?provider_id=${A}&limit=2`, "?name=Knit"]) {
        const target = `/developer/v1/courses${query}`;
        texts.push((await send(sandbox, "GET", target, { headers })).text);
      }
      await stop();
    }
    expect(texts.slice(4)).toEqual(texts.slice(0, 4));
  });

  test("a course that was changed stays in its place, one that came again is the last", async () => {
    const path = join(await newFolder(), "x.data");
    const { store, close } = await openData(path);
    for (const number of [1, 2, 3, 4]) await store.add(version(number));
    await store.replace(version(2, "new"));
    await store.remove(numbered(1));
    await store.add(version(1, "again"));
    await store.remove(numbered(3));
    const before = allOf(store);
    expect(before.map(({ id }) => id)).toEqual([2, 4, 1].map(numbered));
    await close();
    expect(await heldIn(path)).toEqual(before);
  });

  test("the seed is not asked for, and may be refused", async () => {
    const path = join(await newFolder(), "x.data");
    await (await openData(path)).close();
    const seed = () => Promise.reject(new Error("asked for"));
    await (await openData(path, { seed })).close();
    const reopen = () => {
      throw new Error("there already");
    };
    await expect(openData(path, { reopen })).rejects.toThrow("there already");
    await (await openData(path)).close();
  });
});

describe("the file", () => {
  test("is its owner's alone, for it holds the keys, and nothing else is left", async () => {
    const folder = await newFolder();
    const path = join(folder, "x.data");
    await (await openData(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["x.data"]);
  });

  test("is not made when the seed is refused", async () => {
    const folder = await newFolder();
    const seed = () => Promise.reject(new Error("no seed"));
    await expect(openData(join(folder, "x.data"), { seed })).rejects.toThrow("no seed");
    expect(await readdir(folder)).toEqual([]);
  });

  test("is written anew when most of its lines say nothing any more, with its mode", async () => {
    const folder = await newFolder();
    const path = join(folder, "x.data");
    const { store, close } = await openData(path);
    await Promise.all([1, 2, 3].map((number) => store.add(version(number))));
    await store.remove(numbered(2));
    const changes = Array.from({ length: 1010 }, (_, name) => store.replace(version(1, name)));
    await Promise.all(changes);
    await close();
    await chmod(path, 0o640);
    const before = allOf(store);
    expect(await heldIn(path)).toEqual(before);
    const text = await readFile(path, "utf8");
    expect(text.split("\n")).toHaveLength(4);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(["x.data"]);
    expect(await heldIn(path)).toEqual(before);
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

test("an answer that tells of a change is not sent before the change is kept", async () => {
  let keep = (): void => undefined;
  const kept = new Promise<void>((resolve) => {
    keep = resolve;
  });
  const path = join(await newFolder(), "x.data");
  const { store, close } = await openData(path);
  onTestFinished(close);
  await store.add(version(1));
  let pending = false;
  const slow = {
    ...store,
    remove: async (id: string) => {
      pending = true;
      await Promise.all([store.remove(id), kept]);
    },
    settled: () => (pending ? kept : Promise.resolve()),
  };
  const sandbox = await startSandbox({ store: slow, clock: testClock() });
  onTestFinished(() => sandbox.close());
  const target = `/developer/v1/courses?id=${numbered(1)}`;
  const order: string[] = [];
  const first = send(sandbox, "DELETE", target).then(({ status }) => order.push(`first ${status}`));
  await vi.waitUntil(() => pending, { interval: 1, timeout: 10_000 });
  const second = send(sandbox, "DELETE", target).then(() => order.push("second"));
  const read = send(sandbox, "GET", target).then(({ text }) => order.push(`read ${text}`));
  await vi.waitUntil(() => sandbox.requests() === 3, { interval: 1, timeout: 10_000 });
  // By the time that this one is answered the others would be, if they could be.
  await send(sandbox, "GET", target, { headers: { "X-Api-Key": null } });
  expect(order).toEqual([]);
  keep();
  await Promise.all([first, second, read]);
  expect([...order].sort()).toEqual(["first 204", "read []", "second"]);
});
