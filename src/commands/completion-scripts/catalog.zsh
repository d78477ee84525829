#compdef catalog
# Completion of catalog for zsh.

_catalog() {
  local program=${${(Q)words[1]}/#\~\//$HOME/} directive= line value
  local -a typed described rest
  typed=("${(@Q)words[2,CURRENT-1]}")
  (( CURRENT > 2 )) || typed=()
  typed+=("${(Q)PREFIX}")
  [[ $program == */* ]] || (( $+commands[$program] + $+functions[$program] )) || program=catalog
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      directive=$line
      break
    fi
    value=${line%%$'\t'*}
    # A literal backslash would look like the one that escapes a colon.
    [[ $value == *\\* ]] && continue
    # A colon separates a value from its description.
    value=${value//:/\\:}
    [[ $line == *$'\t'* ]] && value+=:${${line#*$'\t'}//\\/\\\\}
    described+=("$value")
  done < <($program __complete -- "${typed[@]}" </dev/null 2>/dev/null)
  case $directive in
    :files*)
      rest=("${(@ps:\t:)directive}")
      compset -p $#rest[3]
      if [[ -n $rest[2] ]]; then
        _files -g "*.(${rest[2]// /|})(-.)"
      else
        _files
      fi
      ;;
    :folders*)
      rest=("${(@ps:\t:)directive}")
      compset -p $#rest[2]
      _files -/
      ;;
    :nospace) _describe -V catalog described -S '' ;;
    *) _describe -V catalog described ;;
  esac
}

# In a file of the function path this is the function itself; elsewhere it must be registered.
if [[ $funcstack[1] == _catalog ]]; then
  _catalog "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _catalog catalog
fi
