/** Opens pages in the user's browser. */
import { CatalogError } from "../base/errors.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { runTool } from "./child.ts";
import type { Context } from "./context.ts";

/** Whether somebody is there to see a browser. */
export function canOpenBrowser({ io, environment }: Pick<Context, "io" | "environment">): boolean {
  return io.out.isTerminal && !isUnattended(environment);
}

/** Opens a page. @throws CatalogError of kind `usage` if the browser cannot be started */
export async function openInBrowser(url: string, context: Context): Promise<void> {
  const browser = chooseLauncher(context.platform, context.environment);
  const code = await runTool({ value: browser, advice: ADVICE }, [url], context);
  // explorer.exe ends with 1 after success, too.
  if (code === 0 || /\bexplorer\.exe\b/i.test(browser)) return;
  const message = `the browser could not be opened (exit code ${code})`;
  throw new CatalogError("usage", message, { advice: ADVICE });
}

const ADVICE = "Set BROWSER to the program that opens urls.";

/** The program that opens a url. */
function chooseLauncher(platform: NodeJS.Platform, { BROWSER = "" }: Environment): string {
  if (BROWSER.trim() !== "") return BROWSER;
  if (platform === "darwin") return "open";
  return platform === "win32" ? "explorer.exe" : "xdg-open";
}
