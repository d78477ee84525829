/** Resolves settings in a temporary project with a temporary home folder. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readSettings, type Settings } from "../../src/settings/resolve.ts";
import type { SettingValues } from "../../src/settings/table.ts";
import { SETTINGS, type SettingName } from "../../src/settings/table.ts";
import { newFolder } from "../folder.ts";

/** What the settings are resolved from. */
export interface SettingsInput {
  /** The files of the project's folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The content of the user's config file. */
  readonly user?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly flags?: SettingValues;
  /** The current folder, below the project's. */
  readonly below?: string;
  readonly platform?: NodeJS.Platform;
}

/** The paths of a project and a home folder. */
export interface Project {
  /** The project's folder. */
  readonly folder: string;
  readonly home: string;
  /** The user's config file. */
  readonly userFile: string;
}

/** Creates a project and a home folder, deleted after the test. */
export async function createProject({ files = {}, user }: SettingsInput = {}): Promise<Project> {
  const root = await newFolder();
  const [folder, home] = [join(root, "project"), join(root, "home")];
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const userFile = join(home, ".config/catalog/config.json");
  if (user !== undefined) {
    await mkdir(dirname(userFile), { recursive: true, mode: 0o700 });
    await writeFile(userFile, user);
    await chmod(userFile, 0o600);
  }
  return { folder, home, userFile };
}

/** All settings by name. */
type Values = { readonly [Name in SettingName]: ReturnType<typeof getSetting<Name>> };

function getSetting<Name extends SettingName>({ get }: Settings, name: Name) {
  return get(name);
}

/** The settings in such a project, and each of their values; creates the project unless it is given. */
export async function resolveInProject(
  given: SettingsInput,
  at?: Project,
): Promise<Settings & Values> {
  const { environment = {}, flags = {}, below = ".", platform = "linux" } = given;
  const { folder, home } = at ?? (await createProject(given));
  await mkdir(join(folder, below), { recursive: true });
  const settings = await readSettings({
    flags,
    environment: { HOME: home, ...environment },
    platform,
    folder: join(folder, below),
  });
  const names = Object.keys(SETTINGS) as SettingName[];
  const values = names.map((name) => [name, settings.get(name)] as const);
  return { ...settings, ...(Object.fromEntries(values) as Values) };
}
