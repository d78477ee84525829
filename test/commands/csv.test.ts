/** Course files in CSV: the round trip with a spreadsheet, and new ids in the file. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { describe, expect, test } from "vitest";
import { parseTable } from "../../src/files/csv-table.ts";
import { IS_LONG } from "../long.ts";
import { PROVIDER_ID } from "../rig.ts";
import { id, jsonRows, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

describe("CSV", () => {
  test("push of an edited ls -o csv updates exactly the changed courses", async () => {
    const [count, changed] = IS_LONG ? [8000, 200] : [60, 7];
    const prices = [{ type: "single_course", price: "49.90", currency: "EUR" }];
    const courses = Array.from({ length: count }, (_, index) =>
      numberedCourse(index + 1, { long_description: `First; "second"\nthird, ${index}`, prices }),
    );
    const catalog = await rigWith(...courses);
    const { stdout: csv } = await catalog.run(["courses", "ls", "--all", "-o", "csv"]);
    await catalog.write("same.csv", csv);
    const same = await catalog.run(["courses", "push", "same.csv"]);
    const amount = `${count.toLocaleString("en")} courses`;
    expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining(amount) });
    expect(writeRequests(same)).toEqual([]);

    // As Excel writes it in many locales: a byte order mark, semicolons, CRLF and capitals.
    const rows: Record<string, string>[] = parse(csv, { columns: true });
    for (const row of rows) row.published = row.published?.toUpperCase() ?? "";
    const edits = rows.filter((_, index) => index % Math.floor(count / changed) === 3);
    const edited = edits.slice(0, changed);
    for (const row of edited) row.prices = row.prices?.replace("49.90", "39.90") ?? "";
    const text = stringify(rows, {
      header: true,
      delimiter: ";",
      record_delimiter: "\r\n",
      bom: true,
    });
    await catalog.write("edited.csv", text);
    const diff = await catalog.run(["courses", "diff", "edited.csv", "--json"]);
    const ids = edited.map((row) => row.id);
    const differences = jsonRows(diff).map(({ id: course, fields }) => [course, fields]);
    expect(differences).toEqual(
      ids.map((course) => [course, [{ path: ["prices", 0, "price"], old: "49.90", new: "39.90" }]]),
    );
    const push = await catalog.run(["courses", "push", "edited.csv"]);
    expect(push.code).toBe(0);
    expect(writeRequests(push).sort()).toEqual(
      ids.map((course) => `PATCH /developer/v1/courses?id=${course}`).sort(),
    );
    const after = await catalog.run(["courses", "diff", "edited.csv", "--json"]);
    expect(jsonRows(after)).toEqual([]);
  }, 300_000);

  test("push --write-ids fills the empty id cells of a CSV file", async () => {
    const catalog = await rigWith();
    const text = (id: string): string =>
      [
        "name,id,url,provider_id,short_description,long_description,audio,pace",
        `Knitting,${id},https://academy.example/knitting,${PROVIDER_ID},s,l,en,self_paced`,
        "",
      ].join("\r\n");
    await catalog.write("c.csv", text(""));
    const push = await catalog.run(["courses", "push", "--write-ids", "c.csv"]);
    expect(push).toMatchObject({ code: 0 });
    const [stored] = await storedCourses(catalog);
    expect(await readFile(join(catalog.folder, "c.csv"), "utf8")).toBe(text(String(stored?.id)));
  });

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

  test("ls and get refuse --excel without -o csv", async () => {
    const catalog = await rigWith();
    for (const words of [["ls"], ["ls", "-o", "table"], ["get", id(1), "-o", "tsv"]]) {
      const ran = await catalog.run(["courses", ...words, "--excel"]);
      expect(ran).toMatchObject({ code: 2, stdout: "", requests: [] });
      expect(ran.stderr).toBe(
        "error: --excel needs CSV\n  Add --output csv, or --out courses.csv.\n",
      );
    }
  });

  test.each([[[]], [["--excel"]]])(
    "check and diff find no change in ls -o csv %j with any first characters, or in a single column",
    async (flags) => {
      const starts = ["=", "+", "-", "@", "'=", "''-", "'s", "\t", "a;b", "a,b", 'a"b', "null"];
      const courses = starts.map((start, index) =>
        numberedCourse(index + 1, { name: `${start} 1`, short_description: start.trim() || "x" }),
      );
      const catalog = await rigWith(...courses);
      const list = ["courses", "ls", "--all", "-o", "csv", ...flags];
      await catalog.write("all.csv", (await catalog.run(list)).stdout);
      expect(await catalog.run(["courses", "check", "all.csv"])).toMatchObject({ code: 0 });
      const diff = await catalog.run(["courses", "diff", "--exit-code", "all.csv"]);
      expect(diff).toMatchObject({ code: 0 });
      const { stdout } = await catalog.run([...list, "--fields", "name"]);
      const names = (await storedCourses(catalog)).map(({ name }) => [name]);
      const { rows } = parseTable(stdout.replace("\ufeff", ""));
      expect(rows.slice(1).map(({ cells }) => cells)).toEqual(names);
    },
  );

  test("check reports an unknown column once, and a missing value at its cell", async () => {
    const catalog = await rigWith();
    const row = `,https://academy.example/a,${PROVIDER_ID},s,l,en,self_paced,x`;
    await catalog.write(
      "c.csv",
      `name,url,provider_id,short_description,long_description,audio,pace,levle\n${row}\n${row.replace("/a", "/b")}\n`,
    );
    const { stdout, code } = await catalog.run(["courses", "check", "c.csv", "--json"]);
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
      [1, 68, "unknown-key", "level"],
      [2, 1, "required", undefined],
      [3, 1, "required", undefined],
    ]);
  });
});
