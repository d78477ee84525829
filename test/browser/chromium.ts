/** Finds Chromium on this machine. */
import { existsSync } from "node:fs";

const PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of the browser. @throws Error that says what to do if there is none */
export function findChromium(): string {
  const path = [process.env.CHROMIUM ?? "", ...PATHS].find((each) => each && existsSync(each));
  if (path !== undefined) return path;
  throw new Error("Chromium was not found. Install it, or set CHROMIUM to its path.");
}

/** Its flags: no background connections, and for root, in a container, no sandbox. */
export const CHROMIUM_FLAGS: readonly string[] = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ...["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync"],
];
