import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Log } from "sarif";
import { expect, test } from "vitest";
import { reportText } from "../../src/output/report.ts";
import { finding, reportOf } from "./report-rig.ts";
import { CHOICE, FIRST, temporaryFolder } from "./report-sarif-rig.ts";

/** The compiler's messages about documents typed as SARIF logs. */
async function compiled(documents: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await temporaryFolder();
  const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
  for (const [name, document] of Object.entries(documents)) {
    const text = `import type { Log } from "sarif";\nexport const log: Log = ${document};\n`;
    await writeFile(join(folder, `${name}.ts`), text);
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: "preserve",
    paths: { sarif: [join(modules, "@types/sarif/index.d.ts")] },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const compiler = join(modules, "typescript/bin/tsc");
  const ran = promisify(execFile)(process.execPath, [compiler, "--project", folder]);
  const { stdout } = await ran.catch((failed: { stdout: string }) => failed);
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}

test("sarif report: the log has the type Log of @types/sarif", async () => {
  const diagnostics = [
    finding({ related: [FIRST], notes: ["So."], severity: "warning" }),
    CHOICE,
    ...Array.from({ length: 25_000 }, () => finding({ severity: "warning" })),
  ];
  const log = await reportText("sarif", reportOf(diagnostics), { version: "1.2.3" });
  const few = JSON.parse(log) as Log;
  few.runs[0]?.results?.splice(20);
  const good = JSON.stringify(few);
  expect(good).toContain('"relatedLocations"');
  expect(good).toContain('"toolExecutionNotifications"');
  const wrong = {
    level: good.replace('"level":"error","message"', '"level":"fatal","message"'),
    member: good.replace('"startLine"', '"line"'),
    missing: good.replace('"text":"prices', '"txt":"prices'),
  };
  expect(Object.values(wrong)).not.toContain(good);
  const said = await compiled({ good, ...wrong });
  expect(said.map((line) => /(\w+)\.ts\(/.exec(line)?.[1])).toEqual(["level", "member", "missing"]);
}, 60_000);
