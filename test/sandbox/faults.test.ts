import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/system-clock.ts";
import { nextFault } from "../../src/sandbox/faults.ts";
import { create, list, open, send, testClock } from "./rig.ts";

describe("--fail: half 503, half a dropped connection, before or after processing", () => {
  test.each([
    [0.2, 0, "unavailable"],
    [0.2, 0.0999, "unavailable"],
    [0.2, 0.1001, "drop-before"],
    [0.2, 0.1499, "drop-before"],
    [0.2, 0.1501, "drop-after"],
    [0.2, 0.1999, "drop-after"],
    [0.2, 0.2, "none"],
    [0, 0, "none"],
    [1, 0.9999, "drop-after"],
  ])("at the rate %d the chance %d is: %s", (rate, chance, fault) => {
    expect(nextFault(rate, testClock([chance]))).toBe(fault);
  });

  test("503 has a JSON body without a hint, and nothing is processed", async () => {
    const sandbox = await open({ fail: 0.5, clock: testClock([0.1, 0.9]) });
    const reply = await create(sandbox);
    expect(reply).toMatchObject({ status: 503, type: "application/json; charset=utf-8" });
    expect(JSON.parse(reply.text)).toMatchObject({ hint: null });
    expect(await list(sandbox)).toEqual([]);
  });

  test("a connection dropped before processing leaves nothing done", async () => {
    const sandbox = await open({ fail: 0.5, clock: testClock([0.3, 0.9]) });
    await expect(create(sandbox)).rejects.toThrow();
    expect(await list(sandbox)).toEqual([]);
  });

  test("a connection dropped after processing leaves it done", async () => {
    // The second chance makes the slug.
    const sandbox = await open({ fail: 0.5, clock: testClock([0.4, 0.9, 0.9]) });
    await expect(create(sandbox)).rejects.toThrow();
    expect(await list(sandbox)).toHaveLength(1);
  });
});

describe("--latency delays every answer", () => {
  test("by as many milliseconds, refusals too", async () => {
    const clock = testClock();
    const sandbox = await open({ latency: 250, clock });
    await list(sandbox);
    await send(sandbox, "GET", "/nowhere");
    await send(sandbox, "PUT", "/developer/v1/courses", { headers: { "X-Api-Key": null } });
    expect(clock.slept).toEqual([250, 250, 250]);
  });

  test("no answer comes before the pause ends", async () => {
    let release = (): void => {};
    let asleep = (): void => {};
    const sleeping = new Promise<void>((resolve) => {
      asleep = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const clock = testClock([], () => {
      asleep();
      return released;
    });
    const sandbox = await open({ latency: 1000, clock });
    const events: string[] = [];
    const answered = create(sandbox).then(() => events.push("answered"));
    await sleeping;
    events.push("released");
    release();
    await answered;
    expect(events).toEqual(["released", "answered"]);
  });

  test("many answers may wait at once, without a warning of the runtime", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const sandbox = await open({ latency: 5, clock: systemClock });
    await Promise.all(Array.from({ length: 20 }, () => list(sandbox)));
    expect(warnings).toEqual([]);
  });

  test("close does not wait for a pause", async () => {
    let asleep = (): void => {};
    const sleeping = new Promise<void>((resolve) => {
      asleep = resolve;
    });
    const clock = testClock([], () => {
      asleep();
      return new Promise(() => {});
    });
    const sandbox = await open({ latency: 1000, clock });
    const waiting = list(sandbox).catch(() => "cut");
    await sleeping;
    await sandbox.close();
    expect(await waiting).toBe("cut");
    expect(clock.cut()).toBe(1);
  });
});
