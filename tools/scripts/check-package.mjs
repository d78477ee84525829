/**
 * Packs the package and checks that it contains the program, its documentation and nothing else, and
 * that every tool finds its entry points and types. Exits with 1 if there are problems.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { pack } from "./packed.mjs";

const NEEDED = [
  "LICENSE",
  "README.md",
  "bin/catalog.js",
  "dist/course.schema.json",
  "dist/main.cjs",
];
const ALLOWED = [
  /^skills\/catalog\/SKILL\.md$/,
  /^(LICENSE|(CHANGELOG|CONTRIBUTING|README|SECURITY)\.md|Dockerfile|action\.yml|package\.json)$/,
  // The README links to these files.
  /^docs\/((?:[\w-]+\/)?[\w-]+\.md|pictures\/[\w-]+\.(?:svg|png))$/,
  /^examples\/[\w./-]+$/,
  /^bin\/(catalog\.js|package\.json)$/,
  /^dist\/(THIRD-PARTY-LICENSES\.txt|course\.schema\.json|index\.js|main\.cjs)$/,
  /^dist\/schemas\/[\w-]+\.schema\.json$/,
  /^dist\/(chunks\/[\w.-]+\.cjs|library\/[\w.-]+\.js)$/,
  /^dist\/types\/[\w./-]+\.d\.ts$/,
];

const scratch = await mkdtemp(join(tmpdir(), "catalog-package-"));
try {
  const packed = await pack(scratch);
  const tarball = await readFile(packed.path);
  const problems = [
    ...fileProblems(packed.files.map(({ path }) => path)),
    ...manifestProblems(packedManifest(tarball)),
    ...(await entryProblems(tarball)),
    ...(await typeProblems(tarball)),
  ];
  const size = `${kilobytes(packed.size)} packed, ${kilobytes(packed.unpackedSize)} unpacked`;
  process.stdout.write(`${packed.filename}: ${packed.files.length} files, ${size}\n`);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    problems.length === 0 ? "No problems.\n" : `Problems: ${problems.length}.\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

function fileProblems(paths) {
  return [
    ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths
      .filter((path) => !ALLOWED.some((pattern) => pattern.test(path)))
      .map((path) => `${path} does not belong in the package`),
  ];
}

/** npm prints warnings for a package with a script that it could run at the installation. */
function manifestProblems({ scripts }) {
  const run = Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name));
  return run.map((name) => `npm would run the script ${name} at the installation`);
}

function packedManifest(tarball) {
  const packed = createPackageFromTarballData(tarball);
  return JSON.parse(packed.readFile(`/node_modules/${packed.packageName}/package.json`));
}

async function entryProblems(tarball) {
  // Copied, because publint takes the complete buffer, which small files share.
  const copy = new Uint8Array(tarball).buffer;
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: copy } });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/**
 * The library consists of ES modules, so that two problems are expected: resolution without `exports`
 * (`node10`), and `require` in a Node.js release that cannot load ES modules with it.
 */
async function typeProblems(tarball) {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  if (result.types === false) return ["attw: the package has no types"];
  return result.problems
    .filter(
      ({ kind, resolutionKind }) => resolutionKind !== "node10" && kind !== "CJSResolvesToESM",
    )
    .map(({ kind, ...where }) => `attw: ${kind} ${JSON.stringify(where)}`);
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`;
}
