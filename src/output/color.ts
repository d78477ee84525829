/** Decides whether output has color, and styles text. */
import type { Environment } from "../base/process.ts";

/**
 * Whether an output has color. In order of precedence: `--no-color` (not `allowed`), `NO_COLOR`,
 * `FORCE_COLOR`, and whether the output is a terminal that is not dumb.
 */
export function hasColor(
  output: { readonly isTerminal: boolean },
  { NO_COLOR = "", FORCE_COLOR = "", TERM }: Environment,
  allowed: boolean,
): boolean {
  if (!allowed || NO_COLOR !== "") return false;
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTerminal && TERM !== "dumb";
}

const STYLES = ["red", "green", "yellow", "cyan", "dim", "bold"] as const;

export type Style = (typeof STYLES)[number];

/** Functions that style text, which must already be safe to show. */
export type Styles = Readonly<Record<Style, (text: string) => string>>;

function createStyles(paint: (style: Style, text: string) => string): Styles {
  const entries = STYLES.map((style) => [style, (text: string) => paint(style, text)]);
  return Object.fromEntries(entries) as Styles;
}

/** Styles that leave every text unchanged. */
export const plain = createStyles((_, text) => text);

/** The styles of an output. Loads chalk only if there is color. */
export async function stylesFor(isColored: boolean): Promise<Styles> {
  if (!isColored) return plain;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  return createStyles((style, text) => chalk[style](text));
}
