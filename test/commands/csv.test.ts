/** Course files in CSV: the round trip with a spreadsheet, and new ids in the file. */
import { expect, test } from "vitest";
import { PROVIDER_ID } from "../rig.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

test("ls and get --excel write a byte order mark, semicolons and no cell that Excel would execute", async () => {
  const catalog = await rigWith(numberedCourse(1, { name: "=1+1; 2" }));
  const list = ["courses", "ls", "-o", "csv", "--fields", "name,provider_rating,prices"];
  const header = "name;provider_rating;prices\r\n";
  expect((await catalog.run(list)).stdout).toContain(`\r\n"=1+1; 2",`);
  const excel = await catalog.run([...list, "--excel"]);
  expect(excel.stdout).toBe(`\ufeff${header}"'=1+1; 2";;\r\n`);
  const get = ["courses", "get", id(1), "-o", "csv", "--fields", "name,provider_rating,prices"];
  expect((await catalog.run([...get, "--excel"])).stdout).toBe(excel.stdout);
});

test("check reports an unknown column once, and a missing value at its cell", async () => {
  const catalog = await rigWith();
  const row = `,https://academy.example/a,${PROVIDER_ID},s,l,en,self_paced,x`;
  await catalog.write(
    "c.csv",
    `name,url,provider_id,short_description,long_description,audio,pace,levle\n${row}\n${row.replace("/a", "/b")}\n`,
  );
  const { stdout, code } = await catalog.run("courses check c.csv --json");
  expect(code).toBe(3);
  const places = JSON.parse(stdout).problems.map(
    ({ line, column, rule, suggestion }: Record<string, unknown>) => [
      line,
      column,
      rule,
      suggestion,
    ],
  );
  expect(places).toEqual([
    [1, 68, "unknown-field", "level"],
    [2, 1, "required", undefined],
    [3, 1, "required", undefined],
  ]);
});
