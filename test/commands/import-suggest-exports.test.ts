/** `import --suggest` for typical exports of other systems: what it maps, and what it leaves to the user. */
import { expect, test } from "vitest";
import { rigWith } from "./helpers.ts";
import { GERMAN_LIST, suggested, WORDPRESS } from "./import-exports.ts";

/** The courses that the suggested mapping makes of an export, by field, with the mapping. */
async function suggestFor({ file, text }: { readonly file: string; readonly text: string }) {
  const { courses, ...drafted } = await suggested(await rigWith(), file, text);
  const field = (name: string): unknown[] => courses.map((course) => course[name]);
  return { ...drafted, field };
}

test("import --suggest maps the columns of WordPress by their names, and uses none twice", async () => {
  const { mapping, field, warnings } = await suggestFor(WORDPRESS);
  expect(field("key")).toEqual(["11", "12", "13", "14"]);
  expect(field("published")).toEqual([true, false, true, false]);
  expect(field("duration_in_hours")).toEqual([1.5, 1.5, undefined, 4]);
  expect(mapping).toContain("   Difficulty: Beginner | Intermediate | All levels\n");
  expect(field("audio")[2]).toEqual(["en", "fr"]);
  expect(field("long_description")[0]).toBe("Loops & needles");
  expect(field("pace")).toEqual([undefined, undefined, undefined, undefined]);
  expect(mapping).toContain("1h 30m | 90 minutes | 2 days; not understood: 2 days */");
  expect(mapping).toContain("   Price: $49.90 | Free | 1,299.00; with your currency, write ");
  const columns = WORDPRESS.text.split("\n", 1)[0]?.split(",") ?? [];
  const code = mapping.replace(/\/\*.*?\*\//gs, "");
  for (const column of columns) {
    expect(code.match(new RegExp(`\\b${column}\\b`, "g")) ?? []).toHaveLength(
      /Price|Difficulty/.test(column) ? 0 : 1,
    );
  }
  expect(warnings).toBe("");
});

test("import --suggest leaves columns with names in other languages as comments with three samples", async () => {
  const { mapping, field } = await suggestFor(GERMAN_LIST);
  expect(field("url")[0]).toBe("https://www.nordlicht.example/kurse/excel");
  expect(field("name")[0]).toBeUndefined();
  expect(mapping).toContain("   Kursart: Präsenz | Live-Webinar | Selbststudium\n");
  expect(mapping).toContain("   `Preis (EUR)`: 1.299,00 | 49,90 | kostenlos\n");
});

const SAID = 'All courses will be published, because nothing is mapped to "published".';

test("import and --suggest say that all courses will be published if nothing is mapped to published", async () => {
  const text = "Title;Zertifikat\nA;yes\nB;no\n";
  const { mapping, warnings, ran } = await suggestFor({ file: "a.csv", text });
  expect(mapping).toContain(`/* ${SAID} */`);
  expect(warnings).toBe(`${SAID}\n`);
  expect(ran.stderr).toContain(`${SAID}\n`);
  expect(ran.stdout).not.toContain("published");
});

test("import --suggest writes published: false while a column looks like a status and is not understood", async () => {
  const text = "Title;Status\nA;neu\nB;alt\n";
  const { mapping, warnings, ran, field } = await suggestFor({ file: "a.csv", text });
  expect(mapping).toContain(
    '"published": false /* neu | alt; write which of these are published, such as Status = "…" */',
  );
  expect(field("published")).toEqual([false, false]);
  expect(warnings + ran.stderr).not.toContain("will be published");
});
