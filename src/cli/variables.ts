/** The environment's variables that count, as the help and the documents tell of them. */
import { ALL_SETTINGS, CONFIG_CHOICE, describedSetting } from "../settings/table.ts";

/** A variable and what it does. */
export interface Variable {
  readonly name: string;
  readonly means: string;
}

/** Every variable: those of the settings first, then those that other programs read, too. */
export const VARIABLES: readonly Variable[] = [
  ...ALL_SETTINGS.map((setting) => ({
    name: setting.variable,
    means: describedSetting(setting),
  })),
  { name: CONFIG_CHOICE.variable, means: CONFIG_CHOICE.description },
  {
    name: "HTTPS_PROXY, HTTP_PROXY, NO_PROXY",
    means: "the proxy to go through, and the hosts to reach without it",
  },
  { name: "NODE_EXTRA_CA_CERTS", means: "file of certificates to trust beside the usual ones" },
  { name: "NO_COLOR", means: "if not empty: no colors, no hyperlinks" },
  { name: "FORCE_COLOR", means: "colors off a terminal, too; 0 for none" },
  {
    name: "FORCE_HYPERLINK",
    means: "1: urls are hyperlinks on any terminal with colors; 0: on none",
  },
  { name: "TERM", means: "dumb: no colors, no progress" },
  { name: "CI", means: "if not empty or false: no question, no progress" },
  { name: "GITHUB_ACTIONS", means: "true: check prints the annotations of a workflow" },
  {
    name: "GITHUB_STEP_SUMMARY",
    means: "file to which --report markdown=… adds in place of replacing it",
  },
  { name: "XDG_CONFIG_HOME", means: "where your config is, in catalog/ (default ~/.config)" },
  {
    name: "XDG_STATE_HOME",
    means: "where deleted courses are kept, in catalog/deleted/ (default ~/.local/state)",
  },
];
