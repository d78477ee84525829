/** `catalog explain`. */
import { describe, expect, test } from "vitest";
import { COURSE_SHAPE } from "../../src/course/fields.ts";
import { rig } from "../rig.ts";
import { expectRefused, lines } from "./helpers.ts";

describe("explain", () => {
  test.each(COURSE_SHAPE.keys.map(({ name }) => name))(
    "explain describes the field %s with an example",
    async (name) => {
      const ran = await (await rig()).run(["explain", name]);
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(ran.stdout).toMatch(
        new RegExp(`^${name} \\((required|optional|set by the service)\\)`),
      );
      expect(ran.stdout).toContain(`    ${name}:`);
    },
  );

  test("explain describes a field inside a list, with or without an index", async () => {
    const r = await rig();
    const plain = await r.run(["explain", "prices[0].currency"]);
    expect(plain.stdout).toContain("Type: currency code such as EUR");
    expect((await r.run(["explain", "prices.currency"])).stdout).toBe(plain.stdout);
  });

  test.each([40, 57])("explain fits its text to a terminal of %i columns", async (columns) => {
    const r = await rig();
    for (const name of ["prices", "choice"]) {
      const { stdout } = await r.run(["explain", name], {
        terminal: true,
        columns,
        environment: { NO_COLOR: "1" },
      });
      const [text = ""] = stdout.split(/^(?:Example|Wrong)$/m);
      expect(lines(text).filter((line) => line.length > columns)).toEqual([]);
    }
  });

  test("explain describes a rule with a wrong and a right example", async () => {
    const ran = await (await rig()).run(["explain", "choice"]);
    expect(ran).toMatchObject({ code: 0, requests: [] });
    expect(ran.stdout).toMatch(/^choice \(error\)\n\n[\s\S]*\nWrong\n[\s\S]*\nRight\n/);
  });

  test("explain exits with 2 for an unknown name and suggests the most similar name", async () => {
    const ran = await (await rig()).run(["explain", "prises"]);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain('Did you mean "prices"?');
  });
});
