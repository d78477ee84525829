/** Reads URLs. */

/**
 * The URL that a text is, or undefined. Not by `URL.canParse`: on Node.js 20 that one refuses hosts
 * such as `é.example` after some thousand calls, once it has been optimised.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
