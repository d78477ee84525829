/** Decides whether addresses can be clicked on, and writes them so (OSC 8). */

import { parseUrl } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { escapeLine } from "../base/text.ts";

/**
 * Whether addresses become hyperlinks: only on a terminal with colors; there as `FORCE_HYPERLINK`
 * says, else on one that is known to take them, which nobody else draws on: no tmux, no screen, no
 * CI service.
 *
 * @param colored whether the output has colors; without them it gets no escape sequence at all
 */
export function hyperlinksIn(
  output: { readonly isTerminal: boolean },
  environment: Environment,
  colored: boolean,
): boolean {
  if (!output.isTerminal || !colored) return false;
  const forced = environment.FORCE_HYPERLINK;
  if (forced) return !/^(0|false)$/i.test(forced);
  return !isWrapped(environment) && KNOWN.some((takesLinks) => takesLinks(environment));
}

/** Inside another one the variables of a terminal still stand, and say nothing any more. */
function isWrapped({ TMUX, STY, TERM = "", CI = "" }: Environment): boolean {
  return [TMUX, STY].some(Boolean) || /^(screen|tmux)/.test(TERM) || !/^(false)?$/.test(CI);
}

/**
 * The terminals known to take hyperlinks, by what each says of itself. One that does not know them
 * may print the address in the middle of a table, so a terminal in doubt is left out.
 */
const KNOWN: readonly ((environment: Environment) => boolean)[] = [
  ({ TERM_PROGRAM, TERM_PROGRAM_VERSION }) => {
    const since = PROGRAMS.get(TERM_PROGRAM ?? "");
    return since !== undefined && isFrom(since, TERM_PROGRAM_VERSION);
  },
  ({ TERM = "" }) => TERMS.has(TERM),
  // GNOME Terminal and its relatives; 0.50.0 itself crashed on a hyperlink.
  ({ VTE_VERSION }) => Number(VTE_VERSION) > 5000,
  // Konsole from 20.12 passes over them, unless its profile wants them.
  ({ KONSOLE_VERSION }) => Number(KONSOLE_VERSION) >= 201200,
  ({ WT_SESSION }) => Boolean(WT_SESSION),
  ({ DOMTERM }) => Boolean(DOMTERM),
];

/** Values of `TERM_PROGRAM`, and the version from which each takes hyperlinks. */
const PROGRAMS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["iTerm.app", [3, 1]],
  ["vscode", [1, 72]],
  ["WezTerm", [0, 0]],
  ["ghostty", [0, 0]],
]);

/** Values of `TERM` that name one terminal; older ones of it pass over what they do not know. */
const TERMS: ReadonlySet<string> = new Set(
  "xterm-kitty xterm-ghostty alacritty foot foot-extra wezterm".split(" "),
);

function isFrom([major, minor]: readonly [number, number], version = "0.0"): boolean {
  const [first = 0, second = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return first > major || (first === major && second >= minor);
}

/** Terminals pass over longer addresses, and a table of them would be slow. */
const LONGEST = 2000;

/**
 * The text as a hyperlink to an address, or as it is where that is no http or https URL that is
 * safe to hand to a terminal. The text must be safe already.
 */
export function hyperlink(text: string, address: string): string {
  // The parser would drop control characters in silence, and lead elsewhere than what is seen.
  if (address.length > LONGEST || escapeLine(address) !== address) return text;
  const url = parseUrl(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  const { href } = url;
  return href.length > LONGEST || !PRINTABLE.test(href) ? text : `${open(href)}${text}${open("")}`;
}

const PRINTABLE = /^[!-~]+$/;

function open(target: string): string {
  return `\u001b]8;;${target}\u001b\\`;
}
