/** `catalog completion`: prints the completion script of a shell. */
import { basename } from "node:path";
import { usageError } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { ParsedArguments } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import bash from "./completion-scripts/catalog.bash?raw";
import fish from "./completion-scripts/catalog.fish?raw";
import powershell from "./completion-scripts/catalog.ps1?raw";
import zsh from "./completion-scripts/catalog.zsh?raw";

const SCRIPTS = { bash, zsh, fish, powershell };

type Shell = keyof typeof SCRIPTS;

const SHELLS = Object.keys(SCRIPTS) as Shell[];

/** Sends no request. */
export const completion = command({
  description:
    "With the script, the Tab key completes commands, flags, values and file names. It sends no request. " +
    "Add the line for your shell to its startup file.",
  arguments: [
    { name: "shell", choices: SHELLS, description: `${joinList(SHELLS)} (default: from $SHELL)` },
  ],
  examples: {
    "bash, in ~/.bashrc": 'eval "$(catalog completion bash)"',
    "zsh, in ~/.zshrc, after compinit": 'eval "$(catalog completion zsh)"',
    "fish, once": "catalog completion fish > ~/.config/fish/completions/catalog.fish",
    "PowerShell, in the file $PROFILE":
      "catalog completion powershell | Out-String | Invoke-Expression",
  },
  exits: [],
  parse: parseShell,
  run: printScript,
});

function parseShell({ arguments: [word] }: ParsedArguments): Shell | undefined {
  if (word === undefined) return undefined;
  const problem = `the shell must be ${joinList(SHELLS)}, not ${JSON.stringify(word)}`;
  return requireChoice(word, SHELLS, problem, INSTALL);
}

const INSTALL = `For bash, add this line to ~/.bashrc: eval "$(catalog completion bash)". For the other shells, run "catalog completion --help".`;

/** The shell that the variable `SHELL` names. @throws CatalogError of kind `usage` for any other shell */
function detectShell({ SHELL = "" }: Environment): Shell {
  const name = basename(SHELL);
  const shell = SHELLS.find((each) => each === name || (name === "pwsh" && each === "powershell"));
  if (shell === undefined) throw usageError(`missing <shell>: ${joinList(SHELLS)}`, INSTALL);
  return shell;
}

async function printScript(given: Shell | undefined, { io, environment }: Context): Promise<void> {
  const shell = given ?? detectShell(environment);
  await io.out.write(SCRIPTS[shell], "verbatim");
}
