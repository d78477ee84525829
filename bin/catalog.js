#!/usr/bin/env node
"use strict";

const { lstatSync, readdirSync, realpathSync, statSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { dirname, join } = require("node:path");

// The package itself, even if Node.js was started with a link and keeps its path: next to the link may
// be another project's code.
const folder = dirname(dirname(realpathSync(__filename)));
const cache = join(folder, "dist/.cache");
const user = process.getuid?.();

/** Whether a folder, which is no link, can only be changed by the user. Windows does not tell. */
function isOwn(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return false;
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}

/** Whether the cache, and what it has for each release of Node.js, is the user's own, or does not exist. */
function isCacheOwn() {
  try {
    const folders = readdirSync(cache).map((name) => join(cache, name));
    return [cache, ...folders].every(isOwn);
  } catch (error) {
    return error.code === "ENOENT";
  }
}

if (enableCompileCache === undefined) {
  // Node.js 20 optimizes undici's WebAssembly parser in the background and does not exit before that
  // is done: "courses ls" ends 390 ms after its last line, and 15 ms with this flag. Node.js 22 and 24
  // exit at once, and there the flag would invalidate the compile cache.
  require("node:v8").setFlagsFromString("--liftoff-only");
} else if (statSync(folder).uid === (user ?? 0) && isCacheOwn()) {
  // The cache contains code that Node.js runs, so it is in the package's own folder, where only a user
  // who can change the program can change it, and no other user may write there, whatever the umask is.
  // Another user's folder is neither read nor written.
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
