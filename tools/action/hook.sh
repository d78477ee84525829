#!/bin/sh
# Runs catalog for pre-commit, which has cloned this repository, and cannot build a package from a git repository.
set -eu
folder=$(dirname "$0")
sh "$folder/build.sh" >&2
exec node "$folder/../../bin/catalog.js" "$@"
