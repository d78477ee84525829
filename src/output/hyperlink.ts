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
  return !isWrapped(environment) && TERMINALS.some((isSupported) => isSupported(environment));
}

/** Inside tmux, screen or CI, the variables of the outer terminal are set but do not apply. */
function isWrapped({ TMUX, STY, TERM = "", CI = "" }: Environment): boolean {
  return [TMUX, STY].some(Boolean) || /^(screen|tmux)/.test(TERM) || !/^(false)?$/.test(CI);
}

/**
 * The terminals known to support hyperlinks, by the variables that each sets. Others are excluded,
 * because they might print the address in the middle of a table.
 */
const TERMINALS: readonly ((environment: Environment) => boolean)[] = [
  ({ TERM_PROGRAM, TERM_PROGRAM_VERSION }) => {
    const since = PROGRAMS.get(TERM_PROGRAM ?? "");
    return since !== undefined && isAtLeast(since, TERM_PROGRAM_VERSION);
  },
  ({ TERM = "" }) => TERMS.has(TERM),
  // GNOME Terminal and others based on VTE; 0.50.0 crashed on hyperlinks.
  ({ VTE_VERSION }) => Number(VTE_VERSION) > 5000,
  // Konsole ignores them from 20.12 on, unless its profile enables them.
  ({ KONSOLE_VERSION }) => Number(KONSOLE_VERSION) >= 201200,
  ({ WT_SESSION }) => Boolean(WT_SESSION),
  ({ DOMTERM }) => Boolean(DOMTERM),
];

/** Values of `TERM_PROGRAM` with the first version that supports hyperlinks. */
const PROGRAMS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["iTerm.app", [3, 1]],
  ["vscode", [1, 72]],
  ["WezTerm", [0, 0]],
  ["ghostty", [0, 0]],
]);

/** Values of `TERM` that identify a terminal; its older versions ignore hyperlinks. */
const TERMS: ReadonlySet<string> = new Set(
  "xterm-kitty xterm-ghostty alacritty foot foot-extra wezterm".split(" "),
);

function isAtLeast([major, minor]: readonly [number, number], version = "0.0"): boolean {
  const [first = 0, second = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return first > major || (first === major && second >= minor);
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
