#!/usr/bin/env node
"use strict";

const { lstatSync, readdirSync, realpathSync, statSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { dirname, join } = require("node:path");

// The package's own folder, even if Node.js was started with a link, next to which another project's code may be.
const folder = dirname(dirname(realpathSync(__filename)));
const cache = join(folder, "dist/.cache");
const user = process.getuid?.();

/** Whether a path is a folder, not a link, that only the user can change. Windows does not show owners. */
function isOwn(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return false;
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}

/** Whether only the user can change the cache and its folders, one per release of Node.js; true for a missing cache. */
function isCacheOwn() {
  try {
    const folders = readdirSync(cache).map((name) => join(cache, name));
    return [cache, ...folders].every(isOwn);
  } catch (error) {
    return error.code === "ENOENT";
  }
}

if (enableCompileCache === undefined) {
  // Node.js 20 optimizes undici's WebAssembly parser in the background, and exits only after that. Later versions
  // exit at once, and there the flag would invalidate the compile cache (docs/contributing/start-up.md).
  require("node:v8").setFlagsFromString("--liftoff-only");
} else if (statSync(folder).uid === (user ?? 0) && isCacheOwn()) {
  // Node.js runs the code in the cache. So the cache is in the package's folder, which only users who can change
  // the package can change, and no other user may write to the cache, even with a loose umask. The cache in
  // another user's folder is neither read nor written.
  const mask = process.umask(0o077);
  enableCompileCache(cache);
  process.umask(mask);
}

const program = join(folder, "dist/main.cjs");
if (statSync(program, { throwIfNoEntry: false }) === undefined) {
  process.stderr.write(
    `error: catalog is not built: ${program} is missing; run "npm run build" in ${folder}\n`,
  );
  process.exitCode = 2;
} else {
  require(program).start();
}
