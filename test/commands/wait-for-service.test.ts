/** A service that is not listening yet (`--wait-for-service`), and one that fails slowly. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { unreliableService } from "./helpers.ts";

test("--wait-for-service retries refused connections for that long, and must be a number", async () => {
  const r = await rig();
  const environment = { CATALOG_BASE_URL: "http://127.0.0.1:1" };
  const words = ["providers", "ls", "--retries", "0", "--wait-for-service"];
  const ran = await r.run([...words, "3"], { environment });
  expect([ran.code, ran.requests.length]).toEqual([6, 7]);
  expect(ran.stderr).toContain("connection refused");
  const usage = await r.run([...words, "soon"], { environment });
  expect([usage.code, usage.requests]).toEqual([2, []]);
});

test.each([
  [6000, 1],
  [4000, 0],
])(
  "a request that failed after %d ms prints %d notices before its retry",
  async (duration, notices) => {
    const r = await rig();
    const { environment } = await unreliableService(r, ({ number }) => {
      if (number > 2) return "pass";
      void r.clock.sleep(duration);
      return "drop before";
    });
    const ran = await r.run(["providers", "ls"], { environment });
    expect([
      ran.code,
      ran.stderr.match(/^A request failed after more than 5/gm)?.length ?? 0,
    ]).toEqual([0, notices]);
  },
);
