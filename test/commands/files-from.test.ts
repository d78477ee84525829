/** `--files-from`: check, diff and push also read the files of a list, as git and find print it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scaleRuns } from "../long.ts";
import { course, type Rig, type RunOptions, rig } from "../rig.ts";
import { lines, numberedCourse } from "./helpers.ts";
import { json, writeRequests } from "./push-files.ts";

/** The names of the files that `check` reads, if each has an error. */
async function checked(r: Rig, words: readonly string[], options?: RunOptions) {
  const ran = await r.run(["courses", "check", "--json", ...words], options);
  const { diagnostics }: Report = JSON.parse(ran.stdout);
  return [...new Set(diagnostics.map(({ file }) => file))];
}

interface Report {
  readonly diagnostics: readonly { readonly file: string }[];
}

const WRONG = json({ ...numberedCourse(1), nmae: "x" });

describe("--files-from", () => {
  test("check --files-from reads the listed files once each, one per line or NUL, besides the arguments", async () => {
    const r = await rig();
    const names = ["a.json", "b c.json", "ä.json", '"q".json', "n\nl.json", "-", " s.json"];
    for (const name of names) await r.write(name, WRONG);
    await r.write("list", "\ufeffa.json\r\n\nb c.json\n  \n s.json\n");
    expect(await checked(r, ["--files-from", "list"])).toEqual(["a.json", "b c.json", " s.json"]);
    expect(await checked(r, ["ä.json", "a.json", "--files-from", "list"])).toEqual([
      ...["ä.json", "a.json", "b c.json", " s.json"],
    ]);
    // As git quotes names, unless -z or core.quotePath=false is given.
    await r.write("list", '"\\303\\244.json"\n"\\"q\\".json"\n"n\\nl.json"\n"ä.json"');
    const quoted = ["ä.json", '"q".json', "n\nl.json"];
    expect(await checked(r, ["--files-from", "list"])).toEqual(quoted);
    const input = names.map((name) => `${name}\0`).join("");
    const found = await checked(r, ["--files-from", "-"], { input });
    expect(found).toEqual([...names.slice(0, 5), "./-", " s.json"]);
  });

  test("diff, push and check --fix accept --files-from instead of arguments", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.write("b.json", json(numberedCourse(2)));
    await r.write("list", "b.json\n");
    const diff = await r.run(["courses", "diff", "--files-from", "list", "--json"]);
    expect(JSON.parse(diff.stdout)).toMatchObject([{ file: "b.json", action: "create" }]);
    const input = "a.json\0";
    const pushed = await r.run(["courses", "push", "--files-from", "-", "--json"], { input });
    expect([pushed.code, JSON.parse(pushed.stdout)]).toMatchObject([0, [{ file: "a.json" }]]);
    await r.run(["courses", "check", "--fix", "--files-from", "list"]);
    const shown = await r.run(["courses", "diff", "b.json", "--files-from", "list", "--stat"]);
    expect(shown.code).toBe(0);
  });

  test("check, diff and push exit with 3 if a listed file or the list does not exist", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.write("list", "a.json\ngone.json\n");
    for (const command of ["check", "diff", "push"]) {
      const gone = await r.run(["courses", command, "--files-from", "list"]);
      expect([command, gone.code, writeRequests(gone)]).toEqual([command, 3, []]);
      expect(gone.stderr).toContain("cannot read gone.json: no such file or folder");
      const words = ["courses", command, "--files-from", "absent", "--report", "json=r.json"];
      const absent = await r.run(words);
      expect([command, absent.code, absent.requests]).toEqual([command, 3, []]);
      expect(absent.stderr).toContain("cannot read absent: no such file or folder");
      expect(await readFile(join(r.folder, "r.json"), "utf8")).toContain("cannot read absent");
    }
  });

  test("check --files-from reports each of thousands of listed files that do not exist", async () => {
    const r = await rig();
    const names = Array.from({ length: scaleRuns(3000) }, (_, number) => `${number}.json`);
    const ran = await r.run(["courses", "check", "--files-from", "-"], { input: names.join("\n") });
    expect(ran.code).toBe(3);
    expect(ran.stderr.split("\n")).toHaveLength(names.length + 1);
  });

  test("check, diff and push exit with 0 and print a notice if the list is empty", async () => {
    const r = await rig();
    await r.write("list", "\n");
    for (const command of ["check", "diff", "push"]) {
      const ran = await r.run(["courses", command, "--files-from", "list"]);
      expect([command, ran.code, writeRequests(ran)]).toEqual([command, 0, []]);
      expect(lines(ran.stderr)[0]).toBe("list lists no files, so there is nothing to do.");
      const asJson = await r.run(["courses", command, "--files-from", "-", "--json"]);
      const { files = [] } = JSON.parse(asJson.stdout);
      expect([command, asJson.code, files]).toEqual([command, 0, command === "check" ? 0 : []]);
    }
    await r.write("a.json", WRONG);
    expect(await checked(r, ["a.json", "--files-from", "list"])).toEqual(["a.json"]);
  });

  test("check --files-from reads every course of the folder of a listed catalog.defaults.yaml, with a notice", async () => {
    const r = await rig();
    await r.write("c/catalog.defaults.yaml", "pace: slow\n");
    const { pace: _, ...rest } = course();
    await r.write("c/a.json", json(rest));
    await r.write("c/d/b.json", json({ ...rest, url: "https://academy.example/b" }));
    const input = "c/a.json\nc/catalog.defaults.yaml\n";
    const ran = await r.run(["courses", "check", "--files-from", "-"], { input });
    expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining("2 files checked")]);
    expect(ran.stdout).toMatch(/^c\/catalog\.defaults\.yaml:1:7: error/);
    expect(ran.stderr).toBe(
      "Because standard input lists c/catalog.defaults.yaml, catalog reads every course in that folder.\n",
    );
  });

  test("commands exit with 2 for --files-from with --prune, --plan or --explain, and for no files at all", async () => {
    const r = await rig();
    const refused = [
      ["push", "--prune", "--files-from", "list"],
      ["diff", "--prune", "--files-from", "list"],
      ["push", "--plan", "plan.json", "--files-from", "list"],
      ["check", "-", "--files-from", "-"],
      ["check", "--explain", "--files-from", "list"],
      ["push", "--files-from", ""],
      ["push"],
      ["diff"],
      ["check"],
    ];
    for (const words of refused) {
      const ran = await r.run(["courses", ...words]);
      expect([words, ran.code, ran.requests]).toEqual([words, 2, []]);
      if (words.length === 1) expect(ran.stderr).toContain("or --files-from <file>");
    }
  });
});

describe("lists given to -", () => {
  test.each(["check", "diff", "push"])(
    "%s explains that standard input lists files, and advises --files-from -",
    async (command) => {
      const r = await rig();
      const lists = [
        "courses/a.yaml\ncourses/b c.csv\n",
        "a.json\0README.md\0",
        '"\\303\\244.yaml"',
      ];
      for (const input of [...lists, "C:\\courses\\a.yaml\r\n"]) {
        const ran = await r.run(["courses", command, "-"], { input });
        expect([ran.code, ran.requests, ran.stdout]).toEqual([3, [], expect.any(String)]);
        const text = `${ran.stdout}${ran.stderr}`;
        expect(text).toContain("standard input is a list of files, not courses");
        expect(text).toContain("With check, diff and push, pass --files-from - instead of -.");
      }
    },
  );

  test("check - does not confuse courses or CSV with a list of files", async () => {
    const r = await rig();
    const inputs = ["url: https://a.example/x.json\n", "name,url\nx.json,y.json\n"];
    for (const input of [...inputs, json({ name: "a.json" }), "name\nKnitting 1.0\n"]) {
      const ran = await r.run(["courses", "check", "-"], { input });
      expect(`${ran.stdout}${ran.stderr}`).not.toContain("lists files");
    }
  });
});
