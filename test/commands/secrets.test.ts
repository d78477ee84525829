import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { rig } from "../rig.ts";
import { unreliableService } from "./helpers.ts";

test("ls sends the key only to the configured service", async () => {
  const r = await rig();
  const elsewhere = await unreliableService(r, () => ({ status: 200, body: "[]" }));
  const { environment, server } = await unreliableService(r, () => ({
    status: 307,
    headers: { location: `${elsewhere.server.baseUrl}/developer/v1/courses` },
  }));
  const ran = await r.run(["courses", "ls"], { environment });
  expect(ran.code).toBe(1);
  expect(server.headers[0]?.["x-api-key"]).toBe(DEFAULT_KEY);
  expect(elsewhere.server.requests).toEqual([]);
});
