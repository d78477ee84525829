/** Suggestions for unknown commands and flags. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";

test.each([
  ["version", "catalog --version"],
  ["show", "catalog courses get"],
  ["courses show", "catalog courses get"],
  ["new", "catalog courses init"],
  ["courses apply", "catalog courses push"],
  ["validate", "catalog courses check"],
  ["export", "catalog courses pull"],
  ["courses lst", "catalog courses ls"],
])("the unknown command %s suggests %s", async (line, suggested) => {
  const ran = await (await rig()).run(line.split(" "));
  expectRefused(ran, 2);
  expect(ran.stderr).toContain(`Did you mean "${suggested}"?`);
});

test.each(["--api-key", "--token", "--key=someone.secretsecret"])(
  "ls refuses %s and names the places where the key can be given",
  async (flag) => {
    const ran = await (await rig()).run(["courses", "ls", flag, "someone.secretsecret"]);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain("CATALOG_API_KEY");
    expect(ran.stderr).not.toContain("secretsecret");
  },
);
