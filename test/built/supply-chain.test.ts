import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { git } from "../git.ts";
import { ROOT } from "./rig.ts";

const LICENSES = ["Apache-2.0", "MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause"];

async function json(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(ROOT, name), "utf8"));
}

test("the bundle contains only packages with permissive licenses", async () => {
  const text = await readFile(join(ROOT, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  const found = [...text.matchAll(/^={80}\n\n(\S+ \S+) \((\S+)\)$/gm)];
  expect(found.length).toBeGreaterThan(10);
  const others = found.filter(([, , license = ""]) => !LICENSES.includes(license));
  expect(others.map(([, name]) => name)).toEqual([]);
});

test("every package of the lock file has a checksum, and none has an install script", async () => {
  const { packages } = await json("package-lock.json");
  const locked = Object.entries(packages as Record<string, Record<string, unknown>>);
  for (const [path, entry] of locked.filter(([path]) => path !== "")) {
    expect(entry.integrity, path).toMatch(/^sha512-/);
    expect(entry.hasInstallScript, path).toBeUndefined();
  }
});

test("installing the package installs no other package and runs nothing", async () => {
  const { scripts, ...manifest } = await json("package.json");
  const kinds = ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"];
  for (const kind of kinds) expect(manifest[kind], kind).toBeUndefined();
  for (const name of ["preinstall", "install", "postinstall"]) {
    expect(scripts).not.toHaveProperty(name);
  }
});

/** A command that would install a package of others with the name of the package or the command. */
const BY_NAME =
  /\b(npx|bunx|pnpx)( -\S+)* (catalog|course-catalog-cli)\b|\b(npm|pnpm|yarn|bun) (i|install|add|exec|x|dlx)\b.*\s["']?course-catalog-cli(?!-[\d*])/;

test("no document or script installs or runs the package by a name that is not registered on npm", async () => {
  const files = git(ROOT, "ls-files")
    .split("\n")
    .filter((file) => !file.startsWith("test/"));
  const found = files.flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
    return lines.filter((line) => BY_NAME.test(line)).map((line) => `${file}: ${line}`);
  });
  expect(files).toEqual(expect.arrayContaining(["README.md", "action.yml", "docs/service.md"]));
  expect(found).toEqual([]);
});

interface Steps {
  readonly steps?: readonly { readonly run?: string; readonly uses?: string }[];
}

/** A workflow file, or action.yml. */
interface Workflow {
  readonly permissions?: unknown;
  readonly jobs?: Readonly<Record<string, Steps>>;
  readonly runs?: Steps;
}

describe.each([".github/workflows/release.yml", ".github/workflows/test.yml", "action.yml"])(
  "workflow files",
  (file) => {
    const workflow = load(readFileSync(join(ROOT, file), "utf8")) as Workflow;
    const { permissions, jobs = {}, runs = {} } = workflow;
    const steps = [...Object.values(jobs), runs].flatMap((job) => job.steps ?? []);

    test(`no script of ${file} contains an expression whose value the shell would execute`, () => {
      expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
    });

    test(`${file} pins actions of third parties to a commit`, () => {
      const used = steps.flatMap(({ uses }) => uses ?? []);
      const others = used.filter((name) => !name.startsWith("actions/"));
      expect(others.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
    });

    test(`the jobs of ${file} may only read the contents unless they declare more permissions`, () => {
      expect(permissions).toEqual(file === "action.yml" ? undefined : { contents: "read" });
    });
  },
);
