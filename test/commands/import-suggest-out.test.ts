/** `import --suggest --out`: the file with the mapping. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rigWith } from "./helpers.ts";

const TABLE = [
  "Kursübersicht 2027;;;",
  ";;;",
  "Title;Status;Dauer;URL",
  "Stricken;published;3 Tage;https://academy.example/a",
  "Weben;in Prüfung;8 Std.;https://academy.example/c",
  "",
].join("\n");

const WORDS = ["courses", "import", "kurse.csv", "--suggest", "--out"];

test.each([true, false])(
  "import --suggest --out asks nothing, writes what --suggest prints, and replaces the file (on a terminal: %s)",
  async (terminal) => {
    const r = await rigWith();
    await r.write("kurse.csv", TABLE);
    await r.write("kurse.jsonata", "mine");
    const ran = await r.run([...WORDS, "kurse.jsonata"], { terminal });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr.replaceAll("\n", " ")).toContain(
      "Wrote the mapping to kurse.jsonata. Check the mapping, then run: catalog courses import kurse.csv --map kurse.jsonata --out <folder>",
    );
    const mapping = await readFile(join(r.folder, "kurse.jsonata"), "utf8");
    expect(mapping).toBe((await r.run(WORDS.slice(0, 4))).stdout);
    expect(mapping).toContain("not understood, and therefore not published: in Prüfung */");
    expect(mapping).toContain("   Dauer: 3 Tage | 8 Std.\n");
  },
);
