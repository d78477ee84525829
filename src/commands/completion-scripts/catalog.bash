# Completion of catalog for bash 3.2 and newer.

# Splits a line as bash would, without expansions. Sets words, the last one unfinished; quote, the
# quote that is still open; head, the start of the last word that readline does not replace; and
# redirects, whether the last word is the target of a redirection.
__catalog_split() {
  local line=$1 word='' started='' before='' char i special=$'"\\$\x60'
  words=() quote='' head='' redirects=
  for ((i = 0; i < ${#line}; i++)); do
    char=${line:i:1}
    if [[ $char == \\ && $quote != \' ]]; then
      i=$((i + 1))
      [[ -n $quote && $special != *"${line:i:1}"* ]] && word+=$char
      word+=${line:i:1} started=1
    elif [[ $char == "$quote" ]]; then
      quote='' head=$before
    elif [[ -n $quote ]]; then
      word+=$char
    elif [[ $char == [\'\"] ]]; then
      quote=$char before=$head head=$word started=1
    elif [[ $char == [[:space:]\<\>] ]]; then
      [[ -n $started && -z $redirects ]] && words+=("$word")
      [[ -n $started ]] && redirects=
      [[ $char == [\<\>] ]] && redirects=1
      word='' head='' started=
    else
      word+=$char started=1
      # Readline does not break a word at @.
      [[ $COMP_WORDBREAKS == *"$char"* && $char != @ ]] && head=$word
    fi
  done
  words+=("$word")
}

# Quotes a value to fit the open quote.
__catalog_quoted() {
  local value=$1 tick=$'\x60'
  case $quote in
    \') value=${value//\'/\'\\\'\'} ;;
    \")
      value=${value//\\/\\\\} value=${value//\"/\\\"}
      value=${value//\$/\\\$} value=${value//"$tick"/\\$tick}
      ;;
    *) [[ $value == *[!A-Za-z0-9_./:=@%+,-]* ]] && printf -v value %q "$value" ;;
  esac
  REPLY=$value
}

# Offers files; of these extensions, if there are any, and folders.
__catalog_files() {
  local prefix=$1 typed=${words[${#words[@]} - 1]} extension name
  shift
  typed=${typed#"$prefix"}
  # Readline quotes file names itself, unless a prefix precedes them.
  ((${#prefix} > ${#head})) || compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    REPLY=$prefix$name REPLY=${REPLY#"$head"}
    if ((${#prefix} > ${#head})); then
      [[ -d $name ]] && REPLY+=/ && compopt -o nospace 2>/dev/null
      __catalog_quoted "$REPLY"
    fi
    COMPREPLY+=("$REPLY")
  done < <(
    if (($# == 0)); then
      compgen -f -- "$typed"
    else
      compgen -d -- "$typed"
      for extension; do
        [[ $extension == / ]] || compgen -f -X "!*.$extension" -- "$typed"
      done
    fi
  )
}

# Adds descriptions to values that are listed, not inserted.
__catalog_describe() {
  local width=0 i line
  case ${COMP_TYPE-} in 9 | 33 | 63 | 64) ;; *) return ;; esac
  ((${#COMPREPLY[@]} > 1)) || return
  for line in "${COMPREPLY[@]}"; do
    ((${#line} > width)) && width=${#line}
  done
  for i in "${!COMPREPLY[@]}"; do
    [[ -n ${descriptions[i]} ]] || continue
    printf -v line "%-${width}s  (%s)" "${COMPREPLY[i]}" "${descriptions[i]}"
    COMPREPLY[i]=${line:0:${COLUMNS:-80} - 2}
  done
}

_catalog() {
  local program=${1/#\~\//$HOME/} quote head redirects line value directive='' REPLY IFS=$' \t\n'
  local -a words descriptions
  COMPREPLY=() descriptions=()
  __catalog_split "${COMP_LINE:0:COMP_POINT}"
  if [[ -n $redirects ]]; then
    __catalog_files ""
    return
  fi
  type -P "$program" >/dev/null || declare -F "$program" >/dev/null || program=catalog
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      directive=$line
      break
    fi
    value=${line%%$'\t'*}
    # Double quotes cannot protect a ! from history expansion.
    [[ $quote == \" && $value == *!* ]] && continue
    __catalog_quoted "${value#"$head"}"
    COMPREPLY+=("$REPLY")
    [[ $line == *$'\t'* ]] && line=${line#*$'\t'} || line=
    descriptions+=("$line")
  done < <("$program" __complete -- "${words[@]:1}" </dev/null 2>/dev/null)
  compopt -o nosort 2>/dev/null
  case $directive in
    :nospace) compopt -o nospace 2>/dev/null ;;
    :files*)
      value=${directive#*$'\t'}
      # One word for each extension.
      # shellcheck disable=SC2086
      __catalog_files "${value#*$'\t'}" ${value%%$'\t'*}
      return
      ;;
    :folders*)
      __catalog_files "${directive#*$'\t'}" /
      return
      ;;
  esac
  __catalog_describe
}

# Without compopt, fall back to files.
if type compopt >/dev/null 2>&1; then
  complete -F _catalog catalog
else
  complete -o default -F _catalog catalog
fi
