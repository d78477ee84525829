/** Opens pages in the user's browser. */
import { CatalogError } from "../base/errors.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { runTool } from "./child.ts";
import type { Context } from "./context.ts";

/** Whether there is a user who can see a browser: not in CI, and not if the output goes to a file. */
export function canOpenBrowser({ io, environment }: Pick<Context, "io" | "environment">): boolean {
  return io.out.isTerminal && !isUnattended(environment);
}

/** Opens a page. @throws CatalogError of kind `usage` if the browser cannot be started */
export async function openInBrowser(url: string, context: Context): Promise<void> {
  const browser = chooseLauncher(context.platform, context.environment);
  const code = await runTool({ value: browser, advice: ADVICE }, [url], context);
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
