/** A time of day that is wrong or changes during a run: only dates may depend on it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { unreliableService } from "./helpers.ts";

const TIMES = [-1e13, -1, 0, 1e14];

test.each(TIMES)(
  "update retries a failed attempt and succeeds if the clock is at %d ms since 1970",
  async (now) => {
    const r = await rig();
    await r.write("a.json", JSON.stringify(course()));
    const { stdout } = await r.run(["courses", "create", "a.json"]);
    r.clock.set(now);
    const { environment } = await unreliableService(r, ({ method, number }) =>
      number === 1 || (method === "PATCH" && number < 4) ? { status: 503 } : "pass",
    );
    const words = ["courses", "update", stdout.trim(), "--name", "Weaving"];
    const ran = await r.run(words, { environment });
    expect([ran.code, ran.requests.length]).toEqual([0, 4]);
  },
);

test.each(TIMES)(
  "update makes seven attempts at a failing service if the clock is at %d ms since 1970",
  async (now) => {
    const r = await rig();
    r.clock.set(now);
    const { environment } = await unreliableService(r, () => ({ status: 503 }));
    const id = "00000000-0000-4000-9000-000000000001";
    const ran = await r.run(["courses", "update", id, "--name", "Weaving"], { environment });
    expect([ran.code, ran.requests.length]).toEqual([6, 7]);
  },
);

test("push makes the same attempts and reports the same duration if the clock jumps during the run", async () => {
  const durations = async (times: readonly number[]) => {
    const r = await rig();
    await r.write("a.json", JSON.stringify(course()));
    const { environment } = await unreliableService(r, ({ method, number }) => {
      const time = times[number % times.length];
      if (time !== undefined) r.clock.set(time);
      return method === "POST" && number < 6 ? { status: 503 } : "pass";
    });
    const words = ["courses", "push", "a.json", "--report", "junit=r.xml", "--json"];
    const ran = await r.run(words, { environment });
    expect(ran.code).toBe(0);
    const report = await readFile(join(r.folder, "r.xml"), "utf8");
    const [, time] = /<testsuites[^>]* time="([\d.-]+)"/.exec(report) ?? [];
    expect(time).toBeDefined();
    return { time, requests: ran.requests, waits: r.clock.waits };
  };
  const usual = await durations([]);
  expect(await durations([-1e13, 1e14])).toEqual(usual);
  expect(await durations([1e14, -1e13])).toEqual(usual);
});
