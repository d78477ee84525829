#!/bin/sh
# The tour: starts the sandbox with the examples' providers and does the main job against it.
# Run by `npm run demo`; every command is shown before it runs.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" != inside ]; then
  npm run --silent build
  exec node bin/catalog.js sandbox --seed examples/providers.json -- sh examples/demo.sh inside
fi

catalog() {
  node bin/catalog.js "$@"
}

# Shows a command, then runs it.
run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

printf 'The sandbox serves at %s\n' "$CATALOG_BASE_URL"

run catalog providers ls -o table --fields name,slug,url
run catalog courses check examples/courses examples/one.yaml examples/every-field.yaml
printf '\n$ catalog courses check examples/broken.yaml\n'
if catalog courses check examples/broken.yaml; then
  echo "the broken course passed the check" >&2
  exit 1
fi

printf '\n$ catalog courses create examples/courses\n'
ids=$(catalog courses create examples/courses)
printf '%s\n' "$ids"
printf '\n$ id=$(catalog courses create examples/one.yaml)\n'
id=$(catalog courses create examples/one.yaml)

run catalog courses ls -o table
run catalog courses update "$id" --name "Introduction to GitHub, 2nd edition" --set level='["beginner"]'
run catalog courses get "$id" -o yaml --fields id,name,level,published,approval_status
run catalog courses unpublish "$id"
run catalog courses ls --published false -o table
run catalog courses rm --yes "$id"
printf '\n$ catalog courses ls -o id | catalog courses rm --yes -\n'
catalog courses ls -o id | catalog courses rm --yes -

printf '\n$ catalog courses ls --all -o id\n'
left=$(catalog courses ls --all -o id)
if [ -n "$left" ]; then
  echo "courses are left: $left" >&2
  exit 1
fi
printf '\nThe tour is done.\n'
