/** Shared by the tests of saved keys. */
import { chmod, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { Rig, RunOptions, RunResult } from "../rig.ts";

/** The path of the user config below the rig's folder. */
export const USER_CONFIG = ".config/catalog/config.json";

/** Writes the user config with private permissions. @returns its path */
export async function writeUserConfig(r: Rig, config: unknown): Promise<string> {
  const path = join(r.folder, USER_CONFIG);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await r.write(USER_CONFIG, typeof config === "string" ? config : JSON.stringify(config));
  await chmod(path, 0o600);
  return path;
}

/** The content of the user config; undefined if there is none. */
export async function readUserConfig({ folder }: Rig): Promise<unknown> {
  const text = await readFile(join(folder, USER_CONFIG), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The sandbox's key with its base URL, as a config stores them. */
export function savedKeyFor(baseUrl: string): Readonly<Record<"baseUrl" | "apiKey", string>> {
  return { baseUrl, apiKey: DEFAULT_KEY };
}

/** Logs in with a key from standard input and none in the environment. */
export async function logIn(
  r: Rig,
  words: readonly string[] = [],
  { input = DEFAULT_KEY, environment }: RunOptions = {},
): Promise<RunResult> {
  const bare = { CATALOG_API_KEY: undefined };
  return await r.run(["login", "--with-key", ...words], {
    input,
    environment: { ...bare, ...environment },
  });
}
