/** What the tests of saved keys share: a user config in the rig's home, and every command that talks. */
import { chmod, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { Ran, Rig, RunOptions } from "../rig.ts";
import { id, numbered } from "./helpers.ts";

/** The user's config file, below the rig's folder. */
export const CONFIG = ".config/catalog/config.json";

/** Saves a config for the user, with the modes that it is to have. @returns its path */
export async function save(r: Rig, config: unknown): Promise<string> {
  const path = join(r.folder, CONFIG);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await r.write(CONFIG, typeof config === "string" ? config : JSON.stringify(config));
  await chmod(path, 0o600);
  return path;
}

/** What the user's config file holds now; undefined when there is none. */
export async function saved({ folder }: Rig): Promise<unknown> {
  const text = await readFile(join(folder, CONFIG), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The sandbox's key, with the address that it is saved for. */
export function pairOf(baseUrl: string): Readonly<Record<"baseUrl" | "apiKey", string>> {
  return { baseUrl, apiKey: DEFAULT_KEY };
}

/** Every command that asks the service, in words that it carries out with one course there. */
export const TALKING = [
  "providers ls",
  "courses ls",
  `courses get ${id(1)}`,
  "courses create new.json",
  `courses update ${id(1)} --name New`,
  `courses publish ${id(1)}`,
  `courses unpublish ${id(1)}`,
  "courses check --online new.json",
  "courses diff new.json",
  "courses push new.json",
  "courses pull out",
  "courses init starter.yaml",
  `courses rm --yes ${id(1)}`,
  "status",
  "api GET developer/v1/courses",
] as const;

/** Writes the file that these commands read. */
export async function writeCourse(r: Rig): Promise<void> {
  await r.write("new.json", JSON.stringify(numbered(2)));
}

/** The words of a login whose key is on standard input. */
export const LOGIN = ["login", "--with-key"];

/** Logs in with what stands on standard input, and no key in the environment. */
export async function logIn(
  r: Rig,
  words: readonly string[] = [],
  { input = DEFAULT_KEY, environment }: RunOptions = {},
): Promise<Ran> {
  const bare = { CATALOG_API_KEY: undefined };
  return await r.run([...LOGIN, ...words], { input, environment: { ...bare, ...environment } });
}
