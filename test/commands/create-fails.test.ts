import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { expectRefused, numberedCourse } from "./helpers.ts";

const json = (value: unknown): string => JSON.stringify(value);
const BAD = `name: Sewing
url: https://academy.example/sewing
short_description: Short.
long_description: Long.
audio: [en]
provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21
pace: self-paced
`;
test("create sends nothing if a file has a syntax error or cannot be read", async () => {
  const r = await rig();
  await r.write("a.json", json(numberedCourse(1)));
  await r.write("b.yaml", "name: [");
  await r.write("c.yaml", BAD);
  const ran = await r.run("courses create a.json b.yaml c.yaml absent.yaml");
  expectRefused(ran, 3);
  expect(ran.stderr).toContain("b.yaml:1:");
  expect(ran.stderr).toContain("c.yaml:7:7");
  expect(ran.stderr).toContain("absent.yaml");
});

test.each(["id", "url"])("create refuses the same %s in two files", async (field) => {
  const r = await rig();
  await r.write("a.json", json(numberedCourse(1)));
  const other = numberedCourse(2, { [field]: numberedCourse(1)[field] });
  await r.write("b.json", json(field === "id" ? other : { ...other, id: undefined }));
  const ran = await r.run("courses create a.json b.json");
  expectRefused(ran, 3);
  expect(ran.stderr).toMatch(new RegExp(`b\\.json:1:\\d+: error: same ${field} as .*a\\.json:1`));
});
