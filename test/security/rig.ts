/** Creates a hostile project, and runs command lines in it as a user who has secrets. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { main } from "../../src/main.ts";
import { newFolder } from "../folder.ts";
import { MemoryOutput, rig } from "../rig.ts";
import { startUnreliableServer } from "../unreliable-server.ts";

/** The key in the user's environment or saved config. */
export const KEY = "victim.0123456789abcdef";

/** The files of a project: contents by path, or the targets of symbolic links. */
export type ProjectFiles = Readonly<Record<string, string | { readonly link: string }>>;

/** How a run differs from that of a user without settings in the environment. */
interface AttackRun {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly folder?: string;
  readonly uid?: number;
  readonly terminal?: boolean;
}

/** Writes files and links below a folder. */
export async function writeFiles(folder: string, files: ProjectFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (typeof content === "string") await writeFile(path, content);
    else await symlink(content.link, path);
  }
}

/**
 * Prepares an attack: a user with a home folder, a hostile project, and the attacker's service.
 *
 * @param filesFor the files of the project; `address` is the attacker's service
 */
export async function attack(filesFor: (address: string) => ProjectFiles) {
  const r = await rig();
  const home = await newFolder();
  /** Sends requests on to the sandbox and remembers them. */
  const attacker = await startUnreliableServer(r.sandbox.baseUrl, () => "pass");
  const project = join(await newFolder(), "projects/clone");
  await mkdir(join(project, ".git"), { recursive: true });
  await writeFiles(project, filesFor(attacker.baseUrl));
  /** Runs a command line in the project, without settings in the environment. */
  const run = async (line: readonly string[] | string, options: AttackRun = {}) => {
    const words = typeof line === "string" ? line.split(" ") : line;
    const { environment, input, folder = project, uid, terminal = false } = options;
    const [out, err] = [new MemoryOutput(terminal), new MemoryOutput(terminal)];
    const code = await main(words, {
      ...r.system({ out, err, input, terminal }),
      environment: { HOME: home, ...environment },
      folder,
      uid,
    });
    const requests = [...attacker.requests];
    r.requireKeyless({ words, keys: [KEY], input, outputs: [out.text, err.text] });
    return { code, stdout: out.text, stderr: err.text, requests };
  };
  return { r, home, project, attacker, run };
}

/** Saves the config of the user, as `login` does. */
export async function saveUserConfig(home: string, config: unknown): Promise<void> {
  const file = join(home, ".config/catalog/config.json");
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify(config));
  await chmod(file, 0o600);
}

/** The id of a user who is neither root nor the user of the test. */
export const OTHER_ID = 12_345;
