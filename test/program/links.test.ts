/** The links between the documents of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const SKIPPED = /^(node_modules|dist.*|\.git|coverage)$/;

/** The Markdown files below a folder, as paths from the root. */
function documentsBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : documentsBelow(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const DOCUMENTS = documentsBelow("");

function readProse(document: string): string {
  const text = readFileSync(join(ROOT, document), "utf8");
  return text.replace(/^( *)```[\s\S]*?^\1```$/gm, "").replace(/<!--[\s\S]*?-->/g, "");
}

/** The anchors of a page, as GitHub makes them of headings: `## The \`undo\` command` has `the-undo-command`. */
function anchorsOf(document: string): Set<string> {
  const prose = readProse(document);
  const anchors = new Set(
    Array.from(prose.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, id = ""]) => id),
  );
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

interface Link {
  /** The path from the root. */
  readonly file: string;
  readonly anchor: string;
}

/** The relative links of a page: inline, in HTML, and defined below the text. */
function linksOf(document: string): Link[] {
  const prose = readProse(document).replace(/(`+)[^`]+?\1(?!`)/g, "");
  const inline = prose.matchAll(
    /\]\(\s*<?([^)>\s]+)>?[^)]*\)|^ *\[[^\]]+\]: +(\S+)|(?:src|href)="([^"]+)"/gm,
  );
  return Array.from(inline, ([, a, b, c]) => a ?? b ?? c ?? "").flatMap((target) => {
    if (/^[a-z][a-z\d+.-]*:/i.test(target)) return [];
    const [path = "", anchor = ""] = decodeURI(target).split("#");
    return { file: path === "" ? document : join(dirname(document), path), anchor };
  });
}

/** What is wrong with a link, if anything. */
function problemWith({ file, anchor }: Link): string | undefined {
  if (file.startsWith("..")) return `${file} is not in the repository`;
  if (!existsSync(join(ROOT, file))) return `${file} does not exist`;
  if (anchor === "" || anchorsOf(file).has(anchor)) return undefined;
  return `${file} has no heading for #${anchor}`;
}

describe("the documents of the repository", () => {
  test.each(DOCUMENTS)("links of %s lead to files and headings that exist", (document) => {
    expect(linksOf(document).flatMap((link) => problemWith(link) ?? [])).toEqual([]);
  });

  test.each(DOCUMENTS)("a link of %s to a page is the title of the page", (document) => {
    const links = readProse(document).matchAll(/(?<!!)\[([^\]]+)\]\(([^)#\s]+\.md)\)/g);
    for (const [, text, path = ""] of links) {
      const [, title] = /^# (.*)$/m.exec(readProse(join(dirname(document), path))) ?? [];
      expect(text?.replace(/\s+/g, " ")).toBe(title);
    }
  });

  test("the search for links finds those of every document, and reports a missing file or heading", () => {
    expect(DOCUMENTS).toEqual(expect.arrayContaining(["README.md", "docs/rules.md"]));
    expect(DOCUMENTS.flatMap(linksOf).length).toBeGreaterThan(150);
    expect(linksOf("docs/how-to/run-in-ci.md")).toContainEqual({
      file: "docs/json.md",
      anchor: "results",
    });
    expect(
      problemWith({ file: "docs/how-to/run-in-ci.md", anchor: "github-drift-every-night" }),
    ).toBeUndefined();
    expect(problemWith({ file: "docs/how-to/run-in-ci.md", anchor: "nothing" })).toContain(
      "#nothing",
    );
    expect(problemWith({ file: "docs/nothing.md", anchor: "" })).toContain("does not exist");
  });

  test.each(DOCUMENTS)("%s repeats no heading", (document) => {
    const headings = readProse(document).match(/^##+ .*$/gm) ?? [];
    expect(headings).toEqual([...new Set(headings)]);
  });

  test.each(DOCUMENTS)("every fenced block of %s names its language", (document) => {
    const fences = readFileSync(join(ROOT, document), "utf8").match(/^ *```.*$/gm) ?? [];
    const opening = fences.filter((_, index) => index % 2 === 0);
    expect(opening.filter((fence) => fence.trim() === "```")).toEqual([]);
  });
});
