/** `catalog completion`: prints what teaches a shell to complete command lines (cli.md section 1). */
import { usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";

/** The script of each shell, loaded when it is asked for. */
const SCRIPTS = {
  bash: async () => (await import("./completion/bash.ts")).BASH,
  zsh: async () => (await import("./completion/zsh.ts")).ZSH,
  fish: async () => (await import("./completion/fish.ts")).FISH,
  powershell: async () => (await import("./completion/powershell.ts")).POWERSHELL,
} as const;

type Shell = keyof typeof SCRIPTS;

const SHELLS = Object.keys(SCRIPTS) as Shell[];

/** No request. */
export const completion = command({
  description:
    "With it, the Tab key completes commands, flags, values, names of files, and the ids of your " +
    "courses and providers, for which it asks the service. Put the line of your shell into the " +
    "file that it reads when it starts.",
  arguments: [{ name: "shell", choices: SHELLS, description: joinList(SHELLS) }],
  examples: [
    { says: "bash, in ~/.bashrc", line: 'eval "$(catalog completion bash)"' },
    { says: "zsh, in ~/.zshrc, behind compinit", line: 'eval "$(catalog completion zsh)"' },
    {
      says: "fish, once",
      line: "catalog completion fish > ~/.config/fish/completions/catalog.fish",
    },
    {
      says: "PowerShell, in the file that $PROFILE names",
      line: "catalog completion powershell | Out-String | Invoke-Expression",
    },
  ],
  exits: [],
  parse: parseShell,
  run: printScript,
});

function parseShell({ arguments: [word] }: ParsedArguments): Shell {
  const shell = SHELLS.find((known) => known === word);
  if (shell !== undefined) return shell;
  const install = `For bash, put this line into ~/.bashrc: eval "$(catalog completion bash)"; "catalog completion --help" has the others.`;
  if (word === undefined)
    throw usageError(`completion needs a shell: ${joinList(SHELLS)}`, install);
  const meant = closest(word, SHELLS);
  throw usageError(
    `completion knows no shell ${JSON.stringify(word)}, only ${joinList(SHELLS, "and")}`,
    meant === undefined ? install : `Did you mean ${meant}?`,
  );
}

async function printScript(
  shell: Shell,
  { io, options }: Pick<Context, "io" | "options">,
): Promise<void> {
  if (options.format !== undefined || options.fields !== undefined) {
    throw usageError("completion prints a script: it has no --output and no --fields");
  }
  await io.out.write(await SCRIPTS[shell]());
}
