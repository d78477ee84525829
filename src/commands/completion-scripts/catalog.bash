# Completion of catalog for bash 3.2 and newer. Without candidates, bash completes file names.
_catalog() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("${line%%$'\t'*}")
  done < <("$1" __complete ":$2" "${COMP_WORDS[@]:1:COMP_CWORD-1}" </dev/null 2>/dev/null)
  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _catalog catalog
