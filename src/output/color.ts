/** Decides whether there is color, and paints (cli.md section 11, "Output"). */
import type { Environment } from "../base/process.ts";
import { hyperlink } from "./hyperlink.ts";

/** No color, the 16 basic ones, 256, or all of them. */
export type ColorLevel = 0 | 1 | 2 | 3;

/**
 * How much color an output gets: `--no-color`, then `NO_COLOR`, then `FORCE_COLOR`, then
 * `TERM=dumb`, then whether it is a terminal, and of what kind.
 *
 * @param allowed false when `--no-color` was given
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

function forcedLevel(word: string): ColorLevel {
  if (word === "0" || word === "false") return 0;
  if (word === "2") return 2;
  return word === "3" ? 3 : 1;
}

/** The styles in use; each takes text that is already safe to show. */
export interface Styles {
  readonly enabled: boolean;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  /** Makes the text lead to an address, where the terminal can and the address is safe. */
  readonly link: (text: string, address: string) => string;
}

/** The name of a style. */
export type Style = Exclude<keyof Styles, "enabled" | "link">;

const unchanged = (text: string): string => text;

/** Paint that leaves every text as it is. */
export const plain: Styles = {
  enabled: false,
  red: unchanged,
  green: unchanged,
  yellow: unchanged,
  cyan: unchanged,
  dim: unchanged,
  bold: unchanged,
  link: unchanged,
};

/**
 * The paint of a level. Without color nothing is loaded.
 *
 * @param links whether addresses become hyperlinks
 */
export async function stylesFor(level: ColorLevel, links = false): Promise<Styles> {
  const link = links ? hyperlink : unchanged;
  if (level === 0) return links ? { ...plain, link } : plain;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level });
  return {
    enabled: true,
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
    dim: (text) => chalk.dim(text),
    bold: (text) => chalk.bold(text),
    link,
  };
}
