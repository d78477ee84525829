/**
 * A user's session on a terminal: what terminal.test.ts (tables, confirmations), output-terminal.test.ts
 * (progress) do not show. Several commands share one terminal, to save time.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import {
  HAS_TERMINAL,
  newFolder,
  numberedCourses,
  type ServedSandbox,
  serve,
  startScriptOnTerminal,
  storedIds,
} from "./rig.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles and cursor movements begin with one
const STYLES = /\u001b\[[?\d;]*[a-zA-Z]/g;
const SEPARATOR = "=====";

/**
 * Runs the lines in one shell on a terminal.
 *
 * @param answer what is typed at the question of one of them
 * @returns the text and the exit code of each
 */
async function runSession(
  lines: readonly string[],
  { environment }: Pick<ServedSandbox, "environment">,
  folder: string,
  answer?: string,
): Promise<{ text: string; code: number }[]> {
  const script = lines.map((line) => `${line}; echo "exit $?"; echo ${SEPARATOR}`).join("\n");
  await writeFile(join(folder, "session.sh"), script);
  const running = await startScriptOnTerminal("exec sh session.sh", 100, { environment, folder });
  if (answer !== undefined) {
    await running.waitForStdout(/\(y\/N\)/);
    running.child.stdin?.write(answer);
  }
  const { stdout } = await running.ended;
  const parts = stdout.replaceAll(STYLES, "").replaceAll("\r\n", "\n").split(`${SEPARATOR}\n`);
  return parts.slice(0, -1).map((part) => {
    const [, text = "", code] = /^([\s\S]*)exit (\d+)\n$/.exec(part) ?? [];
    return { text, code: Number(code) };
  });
}

describe.skipIf(!HAS_TERMINAL)("a session on a terminal", () => {
  test.runIf(IS_LONG)("catalog explains wrong words, values, fields and URLs", async () => {
    const service = await serve(numberedCourses(1));
    const [id] = await storedIds(service);
    const folder = await newFolder();
    await writeFile(
      join(folder, "a.json"),
      JSON.stringify({ ...course(), price: 1, foo: 2, x: 3 }),
    );
    const price = ["type=single_course", "price=49.90", "currency=EUR"];
    const sets = price.map((each) => `--set 'prices[0].${each}'`).join(" ");
    const shown = await runSession(
      [
        "catalog sync",
        `catalog courses update ${id} ${sets} && catalog courses get ${id} --fields prices`,
        "catalog courses check a.json",
        "CATALOG_BASE_URL=$CATALOG_BASE_URL/developer/v1 catalog status",
      ],
      service,
      folder,
    );
    expect(shown.map(({ code }) => code)).toEqual([2, 0, 3, 2]);
    const [sync, update, check, status] = shown.map(({ text }) => text);
    expect(sync).toContain('Did you mean "catalog courses push"?');
    expect(update).toContain("price: 49.90");
    expect(check?.match(/for all fields of a course/g)).toHaveLength(1);
    expect(status).toContain(`Use ${service.environment.CATALOG_BASE_URL} instead.`);
  });

  test("a user takes a course from a new file to a dry run on one terminal", async () => {
    const service = await serve();
    const folder = await newFolder();
    await writeFile(join(folder, "list.json"), JSON.stringify(numberedCourses(2), null, 1));
    await writeFile(join(folder, "b.json"), JSON.stringify(course({ name: "Knitting" })));
    const shown = await runSession(
      [
        "catalog courses init a.yaml",
        "catalog courses push --dry-run --verbose list.json",
        "catalog courses push b.json >&-; id=$(catalog courses ls -o id); catalog courses rm --dry-run $id",
      ],
      service,
      folder,
    );
    const [init, plan, dry] = shown.map(({ text }) => text);
    expect(init).toMatch(
      /Wrote a\.yaml\.\s+Fill in the placeholders, then run: catalog courses check a\.yaml/,
    );
    expect(plan).toContain("+ Course 2 (list.json)");
    expect(dry).toMatch(/- Knitting \([\da-f-]{36}\)\n1 course to delete\.\nTarget: .*\n$/);
  });

  test("check --watch says that no problem is left after a change of a file", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "courses"));
    const file = join(folder, "courses/a.json");
    await writeFile(file, JSON.stringify(course({ pace: "fast" })));
    const running = await startScriptOnTerminal("exec catalog courses check --watch courses", 80, {
      folder,
      environment: { NO_COLOR: "1" },
    });
    await running.waitForStdout(/\[choice\][\s\S]*Watching for changes/);
    let isFixed = false;
    const fixed = running.waitForStdout(/: no problems/).then(() => {
      isFixed = true;
    });
    await vi.waitFor(
      async () => {
        // Again, because Node.js needs a moment until it watches a folder.
        await writeFile(file, JSON.stringify(course()));
        expect(isFixed).toBe(true);
      },
      { timeout: 15_000, interval: 200 },
    );
    await fixed;
    running.child.stdin?.write("\u0003");
    expect((await running.ended).code).toBe(130);
  });
});
