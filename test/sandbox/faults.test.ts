import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/process.ts";
import { create, list, open, send, testClock } from "./rig.ts";

describe("--fail", () => {
  test("a 503 response of --fail has a JSON body without a hint, and the request is not processed", async () => {
    const sandbox = await open({ fail: 0.5, clock: testClock([0.1, 0.9]) });
    const reply = await create(sandbox);
    expect(reply).toMatchObject({ status: 503, type: "application/json; charset=utf-8" });
    expect(JSON.parse(reply.text)).toMatchObject({ hint: null });
    expect(await list(sandbox)).toEqual([]);
  });

  test("a connection that --fail drops after processing has the effect of the request", async () => {
    // The second random number is for the slug.
    const sandbox = await open({ fail: 0.5, clock: testClock([0.4, 0.9, 0.9]) });
    await expect(create(sandbox)).rejects.toThrow();
    expect(await list(sandbox)).toHaveLength(1);
  });
});

describe("--latency", () => {
  test("--latency delays every response, including errors, by that many milliseconds", async () => {
    const clock = testClock();
    const sandbox = await open({ latency: 250, clock });
    await list(sandbox);
    await send(sandbox, "GET", "/nowhere");
    await send(sandbox, "PUT", "/developer/v1/courses", { headers: { "X-Api-Key": null } });
    expect(clock.slept).toEqual([250, 250, 250]);
  });

  test("--latency sends no response before the delay ends", async () => {
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

  test("--latency delays many responses at once without a warning from Node.js", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const sandbox = await open({ latency: 5, clock: systemClock });
    await Promise.all(Array.from({ length: 20 }, () => list(sandbox)));
    expect(warnings).toEqual([]);
  });

  test("--latency is cut short when the sandbox closes", async () => {
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
