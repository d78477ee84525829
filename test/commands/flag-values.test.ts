/** Messages about the values of flags that change a course. */
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectRefused, id, numberedCourse, recordFiles, rigWith } from "./helpers.ts";

describe("values of flags", () => {
  test.each([
    [
      ["--set", "level=[beginner]"],
      'error: --set level: level[0] must be beginner, intermediate or advanced, not "[beginner]"\n',
      '"beginner"',
    ],
    [["--name", ""], "error: --name must not be empty\n", undefined],
    [
      ["--audio", "pt_BR"],
      'error: --audio: audio[0] must be a language code such as en or pt-BR, not "pt_BR"\n',
      '"pt-BR"',
    ],
    [
      ["--set", "prices[0].currency=DEM"],
      "error: --set prices[0].currency is DEM, which is no longer in use\n",
      '"EUR"',
    ],
  ])(
    "update %j names the flag once, and suggests a value that the flag accepts",
    async (words, message, suggestion) => {
      const r = await rigWith(numberedCourse(1));
      const ran = await r.run(["courses", "update", id(1), ...words]);
      expect(ran.code).toBe(2);
      const advice = suggestion === undefined ? "" : `  Did you mean ${suggestion}?\n`;
      expect(ran.stderr).toBe(message + advice);
    },
  );

  test("sandbox refuses a port above 65535", async () => {
    const r = await rigWith();
    const ran = await r.run(["sandbox", "--port", "70000"]);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain('--port must be a whole number from 0 to 65535, not "70000"\n');
  });
});

test("history does not blame flags if no record can be read", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run(["courses", "update", id(1), "--name", "Knitting"]);
  const [file = ""] = await recordFiles(r);
  await writeFile(file, "x\n");
  const ran = await r.run(["history"]);
  expect(ran.stderr).toMatch(
    /^warning: .*: this is neither a record of a run nor a plan\nNo changes yet\. .*\n$/,
  );
});
