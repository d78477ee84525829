/** Decides whether output has color and hyperlinks (OSC 8), and styles text. */
import { parseUrl } from "../base/http.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { escapeName } from "../base/text.ts";

/** No color, 16 colors, 256 colors, or 24-bit color. */
export type ColorLevel = 0 | 1 | 2 | 3;

/**
 * The color level of an output. In order of precedence: `--no-color` (not `allowed`), `NO_COLOR`,
 * `FORCE_COLOR`, `TERM=dumb`, and whether the output is a terminal, and which one.
 */
export function colorLevel(
  output: { readonly isTerminal: boolean },
  environment: Environment,
  allowed: boolean,
): ColorLevel {
  if (!allowed || (environment.NO_COLOR ?? "") !== "") return 0;
  if (environment.FORCE_COLOR) return forcedLevel(environment.FORCE_COLOR);
  if (environment.TERM === "dumb" || !output.isTerminal) return 0;
  if (/^(truecolor|24bit)$/i.test(environment.COLORTERM ?? "")) return 3;
  return /256/.test(environment.TERM ?? "") ? 2 : 1;
}

function forcedLevel(value: string): ColorLevel {
  if (value === "0" || value === "false") return 0;
  if (value === "2") return 2;
  return value === "3" ? 3 : 1;
}

const STYLES = ["red", "green", "yellow", "cyan", "dim", "bold"] as const;

export type Style = (typeof STYLES)[number];

/** Functions that style text, which must already be safe to show. */
export interface Styles extends Readonly<Record<Style, (text: string) => string>> {
  /** Makes the text a hyperlink, if the terminal supports hyperlinks and the URL is safe. */
  readonly link: (text: string, url: string) => string;
}

function createStyles(paint: (style: Style, text: string) => string, link: Styles["link"]): Styles {
  const entries = STYLES.map((style) => [style, (text: string) => paint(style, text)]);
  return { ...(Object.fromEntries(entries) as Omit<Styles, "link">), link };
}

const unchanged = (text: string): string => text;

/** Styles that leave every text unchanged. */
export const plain = createStyles((_, text) => text, unchanged);

/** The styles of a color level, with hyperlinks or not. Loads chalk only if there is color. */
export async function stylesFor(level: ColorLevel, links = false): Promise<Styles> {
  const link = links ? hyperlink : unchanged;
  if (level === 0) return links ? { ...plain, link } : plain;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level });
  return createStyles((style, text) => chalk[style](text), link);
}

/**
 * Whether URLs become hyperlinks: only on a terminal with colors. There, `FORCE_HYPERLINK` decides. If it
 * is not set, the terminal must be known to support hyperlinks, outside of tmux, screen and CI.
 */
export function supportsHyperlinks(
  output: { readonly isTerminal: boolean },
  environment: Environment,
  colored: boolean,
): boolean {
  if (!output.isTerminal || !colored) return false;
  const forced = environment.FORCE_HYPERLINK;
  if (forced) return !/^(0|false)$/i.test(forced);
  const { TMUX, STY, TERM = "" } = environment;
  // Inside tmux, screen or CI, the variables of the outer terminal are set but do not apply.
  const isNested = TMUX || STY || /^(screen|tmux)/.test(TERM) || isUnattended(environment);
  return !isNested && isKnownTerminal(environment);
}

/** Whether a terminal supports hyperlinks; others might print the URL in the middle of a table. */
function isKnownTerminal({ TERM_PROGRAM = "", TERM = "", ...rest }: Environment): boolean {
  const { VTE_VERSION, KONSOLE_VERSION, WT_SESSION, DOMTERM } = rest;
  return (
    /^(iTerm\.app|vscode|WezTerm|ghostty)$/.test(TERM_PROGRAM) ||
    /^(xterm-kitty|xterm-ghostty|alacritty|foot|foot-extra|wezterm)$/.test(TERM) ||
    [VTE_VERSION, KONSOLE_VERSION, WT_SESSION, DOMTERM].some(Boolean)
  );
}

/** Terminals ignore longer URLs. */
const MAX_URL = 2000;

/** The text, which must be safe, as a hyperlink if the target is a safe http or https URL. */
export function hyperlink(text: string, target: string): string {
  // The URL parser drops control characters, so the link would differ from the visible URL.
  if (target.length > MAX_URL || escapeName(target) !== target) return text;
  const url = parseUrl(target);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  const { href } = url;
  return href.length > MAX_URL || !PRINTABLE.test(href)
    ? text
    : `${linkSequence(href)}${text}${linkSequence("")}`;
}

const PRINTABLE = /^[!-~]+$/;

function linkSequence(target: string): string {
  return `\u001b]8;;${target}\u001b\\`;
}
