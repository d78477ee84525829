/** test/contract.md has the sentences of the contract, each with the tests that hold it. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { GLOBAL_FLAGS } from "../src/cli/global-flags.ts";
import { loadAllCommands } from "../tools/documents/commands.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const CONTRACT = readFileSync(`${FOLDER}/contract.md`, "utf8");
const HELD = /^(\S+\.test\.ts): "(.+)"$/;

/** A sentence of the contract, and the lines below it, each of which names a test or says "measured". */
interface Held {
  readonly sentence: string;
  readonly holders: string[];
}

/** The sentences of a text, and its lines that are neither sentences nor tests; those before the first section do not count. */
function readContract(text: string): { sentences: readonly Held[]; strange: readonly string[] } {
  const sentences: Held[] = [];
  const strange: string[] = [];
  for (const line of text.slice(text.indexOf("\n## ")).split("\n")) {
    const holder = line.startsWith("  - ") ? sentences.at(-1)?.holders : undefined;
    if (holder !== undefined) holder.push(line.slice(4));
    else if (line.startsWith("- ")) sentences.push({ sentence: line.slice(2), holders: [] });
    else if (line !== "" && !line.startsWith("## ")) strange.push(line);
  }
  return { sentences, strange };
}

/** Whether a line has several sentences, of which one could be without a test; names of code and parentheses do not count. */
function hasSeveral(sentence: string): boolean {
  const words = sentence.replace(/`[^`]*`/g, "X").replace(/^\*\*.*?\*\*/, "");
  return /[.!?] ["*]*[A-Z]/.test(words.replace(/\([^()]*\)/g, ""));
}

/** What is wrong with what holds a sentence. */
function problemOf(holder: string, sentence: string): string | undefined {
  if (holder === "measured") return /\d/.test(sentence) ? undefined : "no figure can be measured";
  const [, file, title = ""] = HELD.exec(holder) ?? [];
  if (file === undefined) return `neither a test nor "measured": ${holder}`;
  if (!existsSync(`${FOLDER}/${file}`)) return `${file} does not exist`;
  const exists = readFileSync(`${FOLDER}/${file}`, "utf8").includes(title);
  return exists ? undefined : `${file} has no test "${title}"`;
}

test("every sentence of the contract names its tests, which exist, or is a figure that is measured", () => {
  const { sentences, strange } = readContract(CONTRACT);
  expect(sentences.length).toBeGreaterThan(300);
  const problems = sentences.flatMap(({ sentence, holders }) => [
    ...(holders.length === 0 ? [`no test: ${sentence}`] : []),
    ...(hasSeveral(sentence) ? [`several sentences: ${sentence}`] : []),
    ...holders.flatMap((holder) => {
      const problem = problemOf(holder, sentence);
      return problem === undefined ? [] : [`${problem}: ${sentence}`];
    }),
  ]);
  expect([...strange, ...problems]).toEqual([]);
});

test("the contract names every command and every flag", async () => {
  const code = CONTRACT.match(/`[^`]+`/g) ?? [];
  const words = new Set(code.flatMap((each) => each.split(/[^\w-]+/)));
  const commands = await loadAllCommands();
  const flags = [...GLOBAL_FLAGS, ...commands.flatMap(({ command }) => command.flags ?? [])];
  const unnamed = [
    ...commands.map(({ path }) => path).filter((path) => !words.has(path.split(" ").at(-1) ?? "")),
    ...flags.filter(({ name, short }) => !words.has(`--${name}`) && !words.has(`-${short}`)),
  ];
  expect(unnamed).toEqual([]);
});
