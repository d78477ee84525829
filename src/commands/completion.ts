/** `catalog completion`: prints the completion script of a shell. */
import { basename } from "node:path";
import { usageError } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import bash from "./completion-scripts/catalog.bash?raw";
import fish from "./completion-scripts/catalog.fish?raw";
import powershell from "./completion-scripts/catalog.ps1?raw";
import zsh from "./completion-scripts/catalog.zsh?raw";

/** The script of each shell. */
const SCRIPTS = { bash, zsh, fish, powershell };

type Shell = keyof typeof SCRIPTS;

const SHELLS = Object.keys(SCRIPTS) as Shell[];

/** The command. It sends no request. */
export const completion = command({
  description:
    "With it, the Tab key completes commands, flags, values, file names, and the ids of your " +
    "courses and providers, which it gets from the service. Add the line for your shell to its " +
    "startup file.",
  arguments: [
    { name: "shell", choices: SHELLS, description: `${joinList(SHELLS)}; default: that of $SHELL` },
  ],
  examples: [
    { description: "bash, in ~/.bashrc", line: 'eval "$(catalog completion bash)"' },
    { description: "zsh, in ~/.zshrc, after compinit", line: 'eval "$(catalog completion zsh)"' },
    {
      description: "fish, once",
      line: "catalog completion fish > ~/.config/fish/completions/catalog.fish",
    },
    {
      description: "PowerShell, in the file $PROFILE",
      line: "catalog completion powershell | Out-String | Invoke-Expression",
    },
  ],
  exits: [],
  parse: parseShell,
  run: printScript,
});

function parseShell({ arguments: [word] }: ParsedArguments): Shell | undefined {
  if (word === undefined) return undefined;
  const problem = `unsupported shell ${JSON.stringify(word)}; choose ${joinList(SHELLS)}`;
  return requireChoice(word, SHELLS, problem, INSTALL);
}

const INSTALL = `For bash, add this line to ~/.bashrc: eval "$(catalog completion bash)"; "catalog completion --help" has the others.`;

/** The shell that `SHELL` names. @throws CatalogError of kind `usage` if it names no supported one */
function detectShell({ SHELL = "" }: Environment): Shell {
  const name = basename(SHELL);
  const shell = SHELLS.find((each) => each === name || (name === "pwsh" && each === "powershell"));
  if (shell === undefined) throw usageError(`missing shell; choose ${joinList(SHELLS)}`, INSTALL);
  return shell;
}

async function printScript(
  given: Shell | undefined,
  { io, options, environment }: Context,
): Promise<void> {
  const shell = given ?? detectShell(environment);
  if (options.format !== undefined || options.fields !== undefined) {
    throw usageError("--output and --fields are not available for completion");
  }
  await io.out.write(SCRIPTS[shell], "verbatim");
}
