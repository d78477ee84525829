import { parse as parseCsv } from "csv-parse/sync";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { fileCourse } from "../../src/files/write.ts";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { PROVIDER_ID, rig } from "../rig.ts";
import { id, jsonRows, numberedCourse, rigWith, storedCourses } from "./helpers.ts";

const RICH = numberedCourse(1, {
  name: 'Knitting, "purl"\nand more',
  prices: [{ type: "single_course", price: "49.90", currency: "EUR" }],
  certificate: { type: "free" },
  level: ["beginner", "advanced"],
});

const two = () => rigWith(RICH, numberedCourse(2, { published: false }));

test("ls prints the columns of the table as tab-separated lines, without a header or shortened values, and escapes controls", async () => {
  const r = await rigWith(numberedCourse(1, { name: `${"A".repeat(500)}\tb\nc\\d` }));
  const ran = await r.run("courses ls", { columns: 40 });
  expect(ran.stdout).toBe(`${id(1)}\t${"A".repeat(500)}\\tb\\nc\\\\d\ttrue\tpending\n`);
});

test("ls --json prints one array with the field names and values of the API", async () => {
  const r = await two();
  const ran = await r.run("courses ls --json");
  expect(JSON.parse(ran.stdout)).toEqual(await storedCourses(r));
  expect((await r.run("courses ls -o json")).stdout).toBe(ran.stdout);
});

test("ls -o yaml prints course files without nulls and without fields that only the service sets", async () => {
  const r = await two();
  const { stdout } = await r.run("courses ls -o yaml");
  expect(load(stdout)).toEqual((await storedCourses(r)).map((course) => fileCourse(course)));
  expect(stdout).not.toMatch(/null|approval_status|slug/);
});

test("ls -o csv prints a header, codes separated by commas, and other nested values as JSON", async () => {
  const { stdout } = await (await two()).run("courses ls -o csv");
  const [first, second] = parseCsv(stdout, { columns: true }) as Record<string, string>[];
  expect(stdout).toContain("\r\n");
  expect(first).toMatchObject({ name: RICH.name, level: "beginner, advanced" });
  expect(JSON.parse(first?.prices ?? "")).toEqual(RICH.prices);
  expect(second).toMatchObject({ id: id(2), published: "false", prices: "" });
});

test("providers ls lists the providers of the user as JSON, ids, YAML and tab-separated lines", async () => {
  const r = await rig();
  const providers = jsonRows(await r.run("providers ls -o json"));
  expect(providers).toEqual([{ ...DEFAULT_PROVIDER, description: "", domain: null }]);
  expect((await r.run("providers ls -o id")).stdout).toBe(`${PROVIDER_ID}\n`);
  expect(load((await r.run("providers ls -o yaml")).stdout)).toEqual(providers);
  const ran = await r.run("providers ls");
  expect(ran.stdout).toContain(`${PROVIDER_ID}\tExample Academy\texample-academy`);
  expect(ran.requests).toEqual(["GET /developer/v1/providers"]);
});
