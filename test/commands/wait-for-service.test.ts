/** `--wait-for-service`: a service that is not listening yet. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";

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
