/** What ships is what is meant to ship: known packages, held by the lock file, that run nothing when installed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./rig.ts";

/** The packages of which the bundle carries parts; a new one is added here on purpose. */
const CARRIED = [
  "@inquirer/ansi",
  "@inquirer/confirm",
  "@inquirer/core",
  "@inquirer/figures",
  "@inquirer/input",
  "@inquirer/password",
  "@inquirer/type",
  "ansi-regex",
  "chalk",
  "cli-width",
  "commander",
  "cosmiconfig",
  "csv-stringify",
  "diff",
  "env-paths",
  "fast-string-truncated-width",
  "fast-string-width",
  "fast-wrap-ansi",
  "fast-xml-builder",
  "fastest-levenshtein",
  "get-east-asian-width",
  "js-yaml",
  "jsonc-parser",
  "mute-stream",
  "path-expression-matcher",
  "signal-exit",
  "string-width",
  "strip-ansi",
  "undici",
  "uuid",
  "xml-naming",
  "yaml",
  "yocto-spinner",
  "yoctocolors",
  "zod",
];

const LICENCES = ["MIT", "ISC", "BSD-3-Clause"];

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

async function json(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(ROOT, name), "utf8"));
}

async function carried(): Promise<{ name: string; version: string; license: string }[]> {
  const text = await readFile(join(ROOT, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  return [...text.matchAll(/^={80}\n\n(\S+) (\S+) \((\S+)\)$/gm)].map(
    ([, name = "", version = "", license = ""]) => ({ name, version, license }),
  );
}

async function locked(): Promise<[string, Locked][]> {
  const { packages } = await json("package-lock.json");
  return Object.entries(packages as Record<string, Locked>).filter(([path]) => path !== "");
}

test("the bundle carries the known packages and no other, under licenses that allow it", async () => {
  const found = await carried();
  expect(found.map(({ name }) => name)).toEqual(CARRIED);
  expect(found.filter(({ license }) => !LICENCES.includes(license))).toEqual([]);
});

test("each is carried in the version that the lock file holds", async () => {
  const versions = new Map(await locked());
  for (const { name, version } of await carried()) {
    expect(versions.get(`node_modules/${name}`)?.version, name).toBe(version);
  }
});

test("the lock file holds every package by its checksum, and none that runs a script when installed", async () => {
  for (const [path, entry] of await locked()) {
    expect(entry.integrity, path).toMatch(/^sha512-/);
    expect(entry.hasInstallScript, path).toBeUndefined();
  }
});

test("an installation of the package brings no other, and runs nothing", async () => {
  const manifest = await json("package.json");
  for (const key of [
    "dependencies",
    "optionalDependencies",
    "peerDependencies",
    "bundleDependencies",
  ]) {
    expect(manifest[key], key).toBeUndefined();
  }
  const scripts = Object.keys(manifest.scripts as object);
  const run = ["preinstall", "install", "postinstall"];
  expect(scripts.filter((name) => run.includes(name))).toEqual([]);
});
