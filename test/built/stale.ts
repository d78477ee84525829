/** Whether dist/ was built from the sources as they are. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a build reads, by folder or file. */
const SOURCES = ["src", "skills", "build.mjs", "package-lock.json"];

/** Why the tests of the built program cannot run in a package; undefined if they can. */
export function whyStale(root: string): string | undefined {
  const built = statSync(join(root, "dist/main.cjs"), { throwIfNoEntry: false })?.mtimeMs;
  const advice = "run `npm run build`, because these tests run the built program";
  if (built === undefined) return `dist/ is missing: ${advice}`;
  const newer = SOURCES.flatMap((source) => listFiles(root, source)).find(
    (file) => statSync(join(root, file)).mtimeMs > built,
  );
  return newer && `dist/ is older than ${newer}: ${advice}`;
}

function listFiles(root: string, path: string): readonly string[] {
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined) return [];
  if (!isFolder) return [path];
  return readdirSync(join(root, path)).flatMap((name) => listFiles(root, `${path}/${name}`));
}
