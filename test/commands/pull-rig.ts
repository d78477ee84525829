/** For tests of `courses pull`: a service that lists any courses, and the contents of a folder. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Rig, type RunResult, rig } from "../rig.ts";
import { numberedCourse, unreliableService } from "./helpers.ts";

/** The contents of the files in a folder of the rig, by name; empty for anything but a file. */
export async function readFolder({ folder }: Rig, name = "out"): Promise<Record<string, string>> {
  const names = (await readdir(join(folder, name))).sort();
  const texts = names.map(
    async (file) => [file, await readText(join(folder, name, file))] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

async function readText(path: string): Promise<string> {
  return (await lstat(path)).isFile() ? await readFile(path, "utf8") : "";
}

/** Whether the path exists, even as a broken link. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** A rig whose service lists exactly these courses, even ones that the sandbox would reject. */
export async function rigListing(...courses: readonly Record<string, unknown>[]) {
  const r = await rig();
  return { r, pull: async (...words: string[]) => await pullListed(r, courses, "out", ...words) };
}

/** Pulls into a folder from a service that lists these courses. */
export async function pullListed(
  r: Rig,
  courses: readonly Record<string, unknown>[],
  ...words: readonly string[]
): Promise<RunResult> {
  const body = JSON.stringify(courses);
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  return await r.run(["courses", "pull", ...words], { environment });
}

/** The nth course as the service lists it, with a slug. */
export function listedCourse(
  number: number,
  slug: unknown,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { ...numberedCourse(number, changes), slug, approval_status: "pending" };
}
