/** A service that is not listening yet (`--wait-for-service`), and one that fails slowly. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { unreliableService } from "./helpers.ts";

test("--wait-for-service retries refused connections for this number of seconds, and must be a number", async () => {
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
  [6000, "drop before", "the connection was closed"],
  [6000, { status: 503 }, "HTTP 503"],
  [4000, "drop before", undefined],
] as const)(
  "providers ls announces the retry of a request that failed after %d ms (%j) if this took over 5 s",
  async (duration, behavior, reason) => {
    const r = await rig();
    const { environment } = await unreliableService(r, ({ number }) => {
      if (number > 2) return "pass";
      void r.clock.sleep(duration);
      return behavior;
    });
    const ran = await r.run(["providers", "ls"], { environment });
    const notice = `Still trying: a request failed (${reason}), retrying.\n`;
    expect(ran).toMatchObject({ code: 0, stderr: reason === undefined ? "" : notice });
  },
);

test("--verbose says why a request is sent again", async () => {
  const r = await rig();
  const { environment } = await unreliableService(r, ({ number }) =>
    number > 1 ? "pass" : { status: 503 },
  );
  const { stderr } = await r.run(["providers", "ls", "--verbose"], { environment });
  expect(stderr).toContain("attempt 1\nretrying: HTTP 503\n");
});
