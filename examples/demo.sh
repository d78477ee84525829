#!/bin/sh
# A demo: starts a sandbox with the providers of the example courses, and runs the main commands in it.
# Start the demo with `npm run demo`. It prints each command before it runs.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" != inside ]; then
  npm run --silent build
  exec node bin/catalog.js sandbox --seed examples/providers.json -- sh examples/demo.sh inside
fi

catalog() {
  node bin/catalog.js "$@"
}

# Prints a command line, then runs it.
run() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

# Prints a command line, runs it, and fails if it ends with another exit code.
run_to_fail() {
  printf '\n$ %s\n' "$2"
  code=0
  eval "$2" || code=$?
  if [ "$code" -ne "$1" ]; then
    echo "expected exit code $1, got $code" >&2
    exit 1
  fi
}

printf 'Sandbox running at %s\n' "$CATALOG_BASE_URL"

run 'catalog providers ls -o table'
run 'catalog courses check examples/courses examples/one.yaml examples/every-field.yaml'
run_to_fail 3 'catalog courses check examples/broken.yaml'

run 'catalog courses push examples/courses'
run 'id=$(catalog courses create examples/one.yaml)'
run 'catalog courses ls -o table'
run 'catalog courses update "$id" --name "Introduction to GitHub, again" --set level="[\"beginner\"]"'
run 'catalog courses get "$id" -o yaml --fields id,name,level,published,approval_status'
run 'catalog courses unpublish "$id"'
run 'catalog courses ls --published false -o table'
run 'catalog courses rm --yes "$id"'
run_to_fail 5 'catalog courses get "$id"'
run 'catalog undo --yes'
run 'catalog courses ls --all -o id | catalog courses rm --yes -'
run 'catalog courses ls'
test -z "$(catalog courses ls --quiet)"

printf '\nDemo finished.\n'
