/** A local registry with this package, so that `npm install` works as users type it. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import { memoize } from "../../src/base/values.ts";
import { ROOT } from "./rig.ts";

/** The metadata of the package for npm. */
interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** A registry that serves the built package. */
export interface Registry {
  readonly manifest: Manifest;
  /** Environment variables that make npm use it, and nothing that is installed on this machine. */
  settings(home: string): Record<string, string>;
}

/** Packs the package and serves it until the tests of the file have ended. */
export async function serveRegistry(): Promise<Registry> {
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as Manifest;
  const tarball = await packed();
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    if (request.url === `/${manifest.name}`) {
      response.end(JSON.stringify(packument(manifest, tarball, `${origin}/package.tgz`)));
    } else if (request.url === "/package.tgz") {
      response.end(tarball);
    } else {
      response.writeHead(404).end("{}");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { manifest, settings: (home) => settings(home, `http://127.0.0.1:${port}/`) };
}

/** Packed once for all test files of a worker. */
const packed = memoize(async (): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), "catalog-registry-"));
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  try {
    const env = { PATH: process.env.PATH, ...settings(folder, "http://127.0.0.1:9/") };
    const { stdout } = await promisify(execFile)("npm", words, { cwd: ROOT, env });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return await readFile(join(folder, filename));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function packument(manifest: Manifest, tarball: Buffer, url: string): Record<string, unknown> {
  const digest = createHash("sha512").update(tarball).digest("base64");
  const dist = { tarball: url, integrity: `sha512-${digest}` };
  return {
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  };
}

function settings(home: string, registry: string): Record<string, string> {
  return {
    HOME: home,
    npm_config_registry: registry,
    npm_config_prefix: join(home, "global"),
    npm_config_cache: join(home, "npm-cache"),
    npm_config_update_notifier: "false",
  };
}
