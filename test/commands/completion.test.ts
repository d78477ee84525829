/** `catalog completion`: the scripts and its usage errors. */
import { beforeEach, describe, expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";

let service: Rig;

beforeEach(async () => {
  service = await rig();
});

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout, stderr, requests } = await service.run(["completion", shell]);
  expect({ code, stderr, requests }).toEqual({ code: 0, stderr: "", requests: [] });
  return stdout;
}

test.each(["bash", "zsh", "fish", "powershell"])(
  "completion %s prints a script that calls catalog __complete",
  async (shell) => {
    const script = await scriptOf(shell);
    expect(script).toContain("__complete");
    expect(script).toMatch(/\n$/);
    expect(script).not.toContain("@{");
  },
);

test("completion without a supported shell lists the shells and how to install a script", async () => {
  const none = await service.run(["completion"]);
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toContain("bash, zsh, fish or powershell");
  expect(none.stderr).toContain('~/.bashrc: eval "$(catalog completion bash)"');
  const other = await service.run(["completion", "fissh"]);
  expect(other).toMatchObject({ code: 2, stdout: "" });
  expect(other.stderr).toContain('Did you mean "fish"?');
});

test("completion --help shows where the script of each shell goes", async () => {
  const { stdout } = await service.run(["completion", "--help"]);
  for (const text of ["~/.bashrc", "~/.zshrc", "~/.config/fish/completions", "$PROFILE"]) {
    expect(stdout).toContain(text);
  }
});

test("completion bash prints a script without syntax that needs a bash after 3.2", async () => {
  expect(await scriptOf("bash")).not.toMatch(
    /mapfile|readarray|(declare|local) -[An]|\$\{\w+(,|\^)|&>|\|&|\$\{\w+@/,
  );
});

describe("completion powershell", () => {
  /** The script without its comments and strings. */
  async function bareScript(): Promise<string> {
    const script = await scriptOf("powershell");
    return script.replace(/^\s*#.*$/gm, "").replace(/'[^'\n]*'|"[^"\n]*"/g, "''");
  }

  test("completion powershell prints a script that closes each bracket and quote", async () => {
    const open: string[] = [];
    const pairs: Readonly<Record<string, string>> = { ")": "(", "}": "{", "]": "[" };
    for (const sign of (await bareScript()).match(/[()[\]{}]/g) ?? []) {
      const opening = pairs[sign];
      if (opening === undefined) open.push(sign);
      else expect(open.pop()).toBe(opening);
    }
    expect(open).toEqual([]);
    expect((await bareScript()).replaceAll("''", "")).not.toMatch(/['"]/);
  });

  test("completion powershell prints a script without words of other shells or of PowerShell after 5.1", async () => {
    const bare = await bareScript();
    expect(bare).toContain("Register-ArgumentCompleter -Native -CommandName catalog");
    expect(bare).not.toMatch(/\b(fi|done|esac|then|local|echo)\b|\[\[|\$\(\(|\bend\b/);
    expect(bare).not.toMatch(/&&|\|\||\?\?|\? .* :/);
  });

  test("completion powershell prints a script that sets each variable before using it", async () => {
    const bare = await bareScript();
    const given = ["_", "null", "wordToComplete", "commandAst", "cursorPosition"];
    const used = new Set([...bare.matchAll(/[$@](\w+)/g)].map(([, name = ""]) => name));
    for (const name of used) {
      const isSet = new RegExp(`\\$${name}(, \\$\\w+)* \\+?= |, \\$${name} = `).test(bare);
      expect({ name, known: isSet || given.includes(name) }).toEqual({ name, known: true });
    }
  });
});
