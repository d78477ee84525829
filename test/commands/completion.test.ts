/** `catalog completion`: the scripts and its usage errors. */
import { beforeEach, expect, test } from "vitest";
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

test("completion without a supported shell is refused with an example or a suggestion", async () => {
  const none = await service.run(["completion"]);
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toContain(
    `missing required argument 'shell'\n  For example: eval "$(catalog completion bash)"`,
  );
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
