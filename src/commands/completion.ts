/** `catalog completion`: prints the completion script of a shell. */
import { joinList, requireChoice } from "../base/text.ts";
import { command } from "../cli/command.ts";
import bash from "./completion-scripts/catalog.bash?raw";
import fish from "./completion-scripts/catalog.fish?raw";
import powershell from "./completion-scripts/catalog.ps1?raw";
import zsh from "./completion-scripts/catalog.zsh?raw";

const SCRIPTS = { bash, zsh, fish, powershell };

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

/** Sends no request. */
export const completion = command({
  description:
    "With the script, Tab completes commands, flags, values and file names. Completion sends no request. " +
    "Add the line for your shell to its startup file.",
  arguments: [{ name: "shell", required: true, choices: SHELLS, description: joinList(SHELLS) }],
  examples: {
    "bash, in ~/.bashrc": 'eval "$(catalog completion bash)"',
    "zsh, in ~/.zshrc, after compinit": 'eval "$(catalog completion zsh)"',
    "fish, once": "catalog completion fish > ~/.config/fish/completions/catalog.fish",
    "PowerShell, in the file $PROFILE":
      "catalog completion powershell | Out-String | Invoke-Expression",
  },
  parse: ({ words: [word = ""] }) => requireChoice(word, SHELLS, "the shell"),
  run: async (shell, { io }) => await io.out.write(SCRIPTS[shell], "verbatim"),
});
