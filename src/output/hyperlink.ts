/** Decides whether addresses are written as hyperlinks (OSC 8), and writes them. */
import { parseUrl } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { escapeLine } from "../base/text.ts";

/**
 * Whether addresses become hyperlinks: only on a terminal with colors. There, `FORCE_HYPERLINK`
 * decides; otherwise the terminal must be known to support them, outside of tmux, screen and CI.
 *
 * @param colored whether the output has colors; without them it gets no escape sequences
 */
export function supportsHyperlinks(
  output: { readonly isTerminal: boolean },
  environment: Environment,
  colored: boolean,
): boolean {
  if (!output.isTerminal || !colored) return false;
  const forced = environment.FORCE_HYPERLINK;
  if (forced) return !/^(0|false)$/i.test(forced);
  const { TMUX, STY, TERM = "", CI = "" } = environment;
  // Inside tmux, screen or CI, the variables of the outer terminal are set but do not apply.
  const isNested = TMUX || STY || /^(screen|tmux)/.test(TERM) || !/^(false)?$/.test(CI);
  return !isNested && isKnownTerminal(environment);
}

/** Other terminals might print the address in the middle of a table. */
function isKnownTerminal({ TERM_PROGRAM = "", TERM = "", ...rest }: Environment): boolean {
  const { VTE_VERSION, KONSOLE_VERSION, WT_SESSION, DOMTERM } = rest;
  return (
    /^(iTerm\.app|vscode|WezTerm|ghostty)$/.test(TERM_PROGRAM) ||
    /^(xterm-kitty|xterm-ghostty|alacritty|foot|foot-extra|wezterm)$/.test(TERM) ||
    [VTE_VERSION, KONSOLE_VERSION, WT_SESSION, DOMTERM].some(Boolean)
  );
}

/** Terminals ignore longer addresses. */
const MAX_ADDRESS = 2000;

/**
 * The text as a hyperlink, or unchanged if the address is not an http or https URL that is safe for
 * a terminal. The text must already be safe.
 */
export function hyperlink(text: string, address: string): string {
  // The URL parser drops control characters, so the link would differ from the visible address.
  if (address.length > MAX_ADDRESS || escapeLine(address) !== address) return text;
  const url = parseUrl(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  const { href } = url;
  return href.length > MAX_ADDRESS || !PRINTABLE.test(href)
    ? text
    : `${linkSequence(href)}${text}${linkSequence("")}`;
}

const PRINTABLE = /^[!-~]+$/;

function linkSequence(target: string): string {
  return `\u001b]8;;${target}\u001b\\`;
}
