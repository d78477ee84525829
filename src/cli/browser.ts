/** Opens pages in the user's browser. */
import { CatalogError } from "../base/errors.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { runProgram, withoutKeys } from "./child.ts";
import type { Context } from "./context.ts";

/** Whether there is a user who can see a browser: not in CI, and not if the output goes to a file. */
export function canOpenBrowser({ io, environment }: Pick<Context, "io" | "environment">): boolean {
  return io.out.isTerminal && !isUnattended(environment);
}

/** Opens a page. @throws CatalogError of kind `usage` if the browser cannot be started */
export async function openInBrowser(url: string, context: Context): Promise<void> {
  const browser = chooseLauncher(context.platform, context.environment);
  const environment = withoutKeys(context.environment);
  const words = [...splitWords(browser), url];
  const code = await runProgram({ words, environment, advice: ADVICE }, context);
  // explorer.exe ends with 1 even after success.
  if (code === 0 || /\bexplorer\.exe\b/i.test(browser)) return;
  const message = `cannot open the browser: ${browser} ended with exit code ${code}`;
  throw new CatalogError("usage", message, { advice: ADVICE });
}

const ADVICE = "Set BROWSER to a program that opens URLs. For example: BROWSER=firefox";

function chooseLauncher(platform: NodeJS.Platform, { BROWSER = "" }: Environment): string {
  if (BROWSER.trim() !== "") return BROWSER;
  if (platform === "darwin") return "open";
  return platform === "win32" ? "explorer.exe" : "xdg-open";
}

/** The words of a command without a shell: quotes keep spaces in a word, as in `"C:\\my browser.exe" --new-tab`. */
function splitWords(text: string): string[] {
  const words = text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g);
  return [...words].map(([word]) => word.replace(/(["'])(.*?)\1/g, "$2"));
}
