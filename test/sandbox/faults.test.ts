import { describe, expect, test } from "vitest";
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
});
