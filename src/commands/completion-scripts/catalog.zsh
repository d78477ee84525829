#compdef catalog
# Completion of catalog for zsh. Without candidates, it completes file names.
_catalog() {
  local -a found typed
  typed=("${(@Q)words[2,CURRENT-1]}")
  (( CURRENT > 2 )) || typed=()
  found=(${(f)"$(${(Q)words[1]} __complete ":${(Q)PREFIX}" $typed </dev/null 2>/dev/null)"})
  # A colon separates a value from its description.
  found=(${${found//:/\\:}/$'\t'/:})
  if (( ! $#found )); then
    compset -P '*='
    _files
  elif [[ $found[1] == *= ]]; then
    _describe -V catalog found -S ''
  else
    _describe -V catalog found
  fi
}

# In a file of the function path this is the function itself; elsewhere it must be registered.
if [[ $funcstack[1] == _catalog ]]; then
  _catalog "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _catalog catalog
fi
