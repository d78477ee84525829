/** `catalog explain`. */
import { describe, expect, test } from "vitest";
import { rig } from "../rig.ts";

describe("explain", () => {
  test("explain describes a field inside a list", async () => {
    const r = await rig();
    const plain = await r.run(["explain", "prices[0].currency"]);
    expect(plain.stdout).toContain("Type: currency code such as EUR");
    expect((await r.run(["explain", "prices"])).stdout).toContain("prices[0].type (required)");
  });

  test("explain describes a rule with a wrong and a right example", async () => {
    const ran = await (await rig()).run(["explain", "choice"]);
    expect(ran).toMatchObject({ code: 0, requests: [] });
    expect(ran.stdout).toMatch(/^choice \(error\)\n\n[\s\S]*\nWrong\n[\s\S]*\nRight\n/);
  });
});
