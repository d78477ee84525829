/** Decides whether output has color, and styles text. */
import type { Environment } from "../base/process.ts";
import { hyperlink } from "./hyperlink.ts";

/** No color, 16 colors, 256 colors, or 24-bit color. */
export type ColorLevel = 0 | 1 | 2 | 3;

/**
 * The color level of an output. In order of precedence: `--no-color`, `NO_COLOR`, `FORCE_COLOR`,
 * `TERM=dumb`, and whether the output is a terminal, and which one.
 *
 * @param allowed false if `--no-color` was given
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

/** Functions that style text, which must already be safe to show. */
export interface Styles {
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  /** Makes the text a hyperlink, if the terminal supports it and the address is safe. */
  readonly link: (text: string, address: string) => string;
}

/** The name of a style. */
export type Style = Exclude<keyof Styles, "link">;

const unchanged = (text: string): string => text;

/** Styles that leave every text unchanged. */
export const plain: Styles = {
  red: unchanged,
  green: unchanged,
  yellow: unchanged,
  cyan: unchanged,
  dim: unchanged,
  bold: unchanged,
  link: unchanged,
};

/**
 * The styles of a color level. Loads chalk only if there is color.
 *
 * @param links whether `link` makes hyperlinks
 */
export async function stylesFor(level: ColorLevel, links = false): Promise<Styles> {
  const link = links ? hyperlink : unchanged;
  if (level === 0) return links ? { ...plain, link } : plain;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level });
  return {
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
    dim: (text) => chalk.dim(text),
    bold: (text) => chalk.bold(text),
    link,
  };
}
