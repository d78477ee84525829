/** Gathers the licenses of the packages in the bundle, which most licenses require. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The names, versions and license texts of the packages from which modules come.
 *
 * @param {Iterable<string>} modules the files of the bundle
 * @returns {Promise<string>}
 */
export async function licenseText(modules) {
  const folders = new Set();
  for (const file of modules) {
    const found = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];
    if (found !== undefined) folders.add(found.replace(/^(.*\?|\0)/, ""));
  }
  const texts = await Promise.all([...folders].sort().map(describe));
  return ["catalog contains the packages below.", ...texts].join(`\n\n${"=".repeat(80)}\n\n`);
}

async function describe(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : (await readFile(join(folder, file), "utf8")).trim();
  return `${name} ${version} (${license})\n\n${text}`.trim();
}
