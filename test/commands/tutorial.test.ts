/** The tutorial shows what its commands print on a terminal. `npx vitest run test/commands/tutorial.test.ts --update`
 * writes what they print now. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { MemoryOutput, type Rig, rig } from "../rig.ts";

const PAGE = fileURLToPath(new URL("../../docs/tutorial.md", import.meta.url));
/** The name of a run, which contains its time. */
const RUN = /\b\d{8}-\d{9}-[\da-f]{6}\b/g;

/** What a terminal of 80 columns without colors and progress shows of a command. */
async function shown(r: Rig, words: readonly string[]): Promise<string> {
  const output = new MemoryOutput(true);
  const environment = { TERM: "dumb" };
  await main(words, r.system({ out: output, err: output, terminal: true, environment }));
  return output.text.replaceAll(r.sandbox.baseUrl, "http://127.0.0.1:4010");
}

test("docs/tutorial.md shows what its commands print", async () => {
  const r = await rig({ approval: { after: 0, as: "approved" } });
  const names: string[] = [];
  const parts: string[] = [];
  for (const part of readFileSync(PAGE, "utf8").split(/^(```\w+\n[\s\S]*?^```$)/m)) {
    const [, kind, text = ""] = /^```(\w+)\n([\s\S]*)```$/.exec(part) ?? [];
    if (kind === "sh" && !text.startsWith("catalog ")) {
      execFileSync("sh", ["-c", text], { cwd: r.folder });
    }
    if (kind !== "console") {
      parts.push(part);
      continue;
    }
    parts.push("```console\n");
    for (const [, line = ""] of text.matchAll(/^\$ catalog (.*)$/gm)) {
      parts.push(`$ catalog ${line}\n${await shown(r, line.split(" "))}`);
    }
    parts.push("```");
  }
  const page = parts.join("").replace(RUN, (name) => {
    if (!names.includes(name)) names.push(name);
    return `20260131-120000000-${String(names.indexOf(name) + 1).padStart(6, "0")}`;
  });
  await expect(page).toMatchFileSnapshot(PAGE);
});

test("docs/tutorial.md shows what the sandbox prints when it starts", async () => {
  const r = await rig();
  const [output, stop] = [new MemoryOutput(), new StopRequest()];
  const system = { ...r.system({ out: output, err: output }), stop };
  const ended = main(["sandbox", "--port", "0", "--approve-after", "0"], system);
  await vi.waitUntil(() => output.text.includes("Ctrl-C"), { interval: 1, timeout: 10_000 });
  stop.abort("SIGINT");
  await ended;
  const text = output.text.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010");
  expect(text).toContain(DEFAULT_KEY);
  expect(readFileSync(PAGE, "utf8")).toContain(`\`\`\`text\n${text}\`\`\``);
});
