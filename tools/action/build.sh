#!/bin/sh
# Builds catalog in its own folder, unless it is built already. No package is installed by its name, and nothing in the
# current folder, such as .npmrc or node_modules, has an effect.
set -eu
cd "$(dirname "$0")/../.."
# The build writes this schema last.
if [ ! -e dist/schemas/defaults.schema.json ]; then
  npm ci --ignore-scripts --include=dev --no-audit --no-fund --loglevel=error
  npm run --silent build
fi
