#!/usr/bin/env node
"use strict";

const { realpathSync, statSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { dirname, join } = require("node:path");

// The package's own folder, even if Node.js was started with a link, next to which another project's code may be.
const folder = dirname(dirname(realpathSync(__filename)));

if (enableCompileCache === undefined) {
  // Node.js 20 optimizes undici's WebAssembly parser in the background, and exits only after that. Later versions
  // exit at once, and there the flag would invalidate the compile cache (docs/contributing/start-up.md).
  require("node:v8").setFlagsFromString("--liftoff-only");
} else if (statSync(folder).uid === (process.getuid?.() ?? 0)) {
  // Node.js runs the code in the cache. So the cache is in the package's folder, where only the owner of the package
  // can write, and other users do not use it.
  const mask = process.umask(0o077);
  enableCompileCache(join(folder, "dist/.cache"));
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
