/** The completion script of each shell. */

/** Unescaped text, except that `@{` becomes `${`, which a template would replace by a value. */
function script({ raw }: TemplateStringsArray): string {
  return raw.join("").replaceAll("@{", "${");
}

/** Needs no completion package, and nothing that bash 3.2 lacks. */
const BASH = script`# Completion of catalog for bash 3.2 and newer.

# Splits a line as bash would, without expansions. Sets words, the last one unfinished; quote, the
# quote that is still open; head, the start of the last word that readline does not replace; and
# redirects, whether the last word is the target of a redirection.
__catalog_split() {
  local line=$1 word= started= before= char i special=$'"\\$\x60'
  words=() quote= head= redirects=
  for ((i = 0; i < @{#line}; i++)); do
    char=@{line:i:1}
    if [[ $char == \\ && $quote != \' ]]; then
      i=$((i + 1))
      [[ -n $quote && $special != *"@{line:i:1}"* ]] && word+=$char
      word+=@{line:i:1} started=1
    elif [[ $char == "$quote" ]]; then
      quote= head=$before
    elif [[ -n $quote ]]; then
      word+=$char
    elif [[ $char == [\'\"] ]]; then
      quote=$char before=$head head=$word started=1
    elif [[ $char == [[:space:]\<\>] ]]; then
      [[ -n $started && -z $redirects ]] && words+=("$word")
      [[ -n $started ]] && redirects=
      [[ $char == [\<\>] ]] && redirects=1
      word= head= started=
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
    \') value=@{value//\'/\'\\\'\'} ;;
    \")
      value=@{value//\\/\\\\} value=@{value//\"/\\\"}
      value=@{value//\$/\\\$} value=@{value//"$tick"/\\$tick}
      ;;
    *) [[ $value == *[!A-Za-z0-9_./:=@%+,-]* ]] && printf -v value %q "$value" ;;
  esac
  REPLY=$value
}

# Offers files; of these extensions, if there are any, and folders.
__catalog_files() {
  local prefix=$1 typed=@{words[@{#words[@]} - 1]} extension name
  shift
  typed=@{typed#"$prefix"}
  # Readline quotes file names itself, unless a prefix precedes them.
  ((@{#prefix} > @{#head})) || compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    REPLY=$prefix$name REPLY=@{REPLY#"$head"}
    if ((@{#prefix} > @{#head})); then
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
  case @{COMP_TYPE-} in 9 | 33 | 63 | 64) ;; *) return ;; esac
  ((@{#COMPREPLY[@]} > 1)) || return
  for line in "@{COMPREPLY[@]}"; do
    ((@{#line} > width)) && width=@{#line}
  done
  for i in "@{!COMPREPLY[@]}"; do
    [[ -n @{descriptions[i]} ]] || continue
    printf -v line "%-@{width}s  (%s)" "@{COMPREPLY[i]}" "@{descriptions[i]}"
    COMPREPLY[i]=@{line:0:@{COLUMNS:-80} - 2}
  done
}

_catalog() {
  local program=@{1/#\~\//$HOME/} quote head redirects line value directive= REPLY IFS=$' \t\n'
  local -a words descriptions
  COMPREPLY=() descriptions=()
  __catalog_split "@{COMP_LINE:0:COMP_POINT}"
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
    value=@{line%%$'\t'*}
    # Double quotes cannot protect a ! from history expansion.
    [[ $quote == \" && $value == *!* ]] && continue
    __catalog_quoted "@{value#"$head"}"
    COMPREPLY+=("$REPLY")
    [[ $line == *$'\t'* ]] && line=@{line#*$'\t'} || line=
    descriptions+=("$line")
  done < <("$program" __complete -- "@{words[@]:1}" </dev/null 2>/dev/null)
  compopt -o nosort 2>/dev/null
  case $directive in
    :nospace) compopt -o nospace 2>/dev/null ;;
    :files*)
      value=@{directive#*$'\t'}
      __catalog_files "@{value#*$'\t'}" @{value%%$'\t'*}
      return
      ;;
    :folders*)
      __catalog_files "@{directive#*$'\t'}" /
      return
      ;;
    :command*)
      if ((@{directive#*$'\t'} + 2 == @{#words[@]})); then
        COMPREPLY=($(compgen -c -- "@{words[@{#words[@]} - 1]}"))
      else
        __catalog_files ""
      fi
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
`;

/** For a file `_catalog` of the function path, or to be evaluated after `compinit`. */
const ZSH = script`#compdef catalog
# Completion of catalog for zsh.

_catalog() {
  local program=@{@{(Q)words[1]}/#\~\//$HOME/} directive= line value
  local -a typed described rest
  typed=("@{(@Q)words[2,CURRENT-1]}")
  (( CURRENT > 2 )) || typed=()
  typed+=("@{(Q)PREFIX}")
  [[ $program == */* ]] || (( $+commands[$program] + $+functions[$program] )) || program=catalog
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      directive=$line
      break
    fi
    value=@{line%%$'\t'*}
    # A literal backslash would look like the one that escapes a colon.
    [[ $value == *\\* ]] && continue
    # A colon separates a value from its description.
    value=@{value//:/\\:}
    [[ $line == *$'\t'* ]] && value+=:@{@{line#*$'\t'}//\\/\\\\}
    described+=("$value")
  done < <($program __complete -- "@{typed[@]}" </dev/null 2>/dev/null)
  case $directive in
    :files*)
      rest=("@{(@ps:\t:)directive}")
      compset -p $#rest[3]
      if [[ -n $rest[2] ]]; then
        _files -g "*.(@{rest[2]// /|})(-.)"
      else
        _files
      fi
      ;;
    :folders*)
      rest=("@{(@ps:\t:)directive}")
      compset -p $#rest[2]
      _files -/
      ;;
    :command*)
      rest=("@{(@ps:\t:)directive}")
      shift $(( rest[2] + 1 )) words
      (( CURRENT -= rest[2] + 1 ))
      _normal
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
`;

/** For a file in the completions folder, or to be sourced. */
const FISH = script`# Completion of catalog for fish 3 and newer.

# Offers files for the rest of a word; only with these extensions, if there are any.
function __catalog_files --argument-names prefix extensions
    set -l token (commandline --current-token --cut-at-cursor)
    set -l rest (string sub --start (math (string length -- "$prefix") + 1) -- "$token")
    for line in (complete --do-complete "'' $rest")
        set -l name (string split --max 1 \t -- $line)[1]
        if test -z "$extensions"; or string match --quiet --regex -- "(/|\.($extensions))\$" $name
            printf '%s%s\n' "$prefix" $line
        end
    end
end

function __catalog_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l token (commandline --current-token --cut-at-cursor)
    # Close an open quote, or complete a trailing backslash.
    set -l word (string unescape -- "$token" "$token'" "$token\"" "$token\\")[1]
    set -l program $words[1]
    type --query -- $program; or set program catalog
    set -l lines ($program __complete -- $words[2..] "$word" 2>/dev/null </dev/null)
    set -l directive $lines[-1]
    set -e lines[-1]
    switch "$directive"
        case ':files*'
            set -l parts (string split \t -- $directive)
            __catalog_files "$parts[3]" (string replace --all ' ' '|' -- "$parts[2]")
        case ':folders*'
            set -l parts (string split \t -- $directive)
            __catalog_files "$parts[2]" /
        case ':command*'
            set -l start (string split \t -- $directive)[2]
            set -l inner (string escape -- $words[(math $start + 2)..])
            complete --do-complete "$inner $token"
        case '*'
            printf '%s\n' $lines
    end
end

complete --command catalog --no-files --keep-order --arguments '(__catalog_complete)'
`;

/** For the profile; PowerShell 5.1 supports all of it. */
const POWERSHELL = script`# Completion of catalog for PowerShell 5.1 and newer.

Register-ArgumentCompleter -Native -CommandName catalog -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # The last word may continue after the cursor, so PowerShell's own idea of it is used.
    $typed = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    $program = $commandAst.GetCommandName()
    $request = @('__complete')
    # Some versions do not pass an empty word.
    if ($wordToComplete -eq '') { $request += '--new' }
    $request += '--'
    $request += @($typed | Select-Object -Skip 1)
    if ($wordToComplete -ne '') { $request += $wordToComplete.Trim("'", '"') }

    $ErrorActionPreference = 'SilentlyContinue'
    $lines = @(& $program @request 2>$null)
    if ($lines.Count -eq 0) { return '' }
    $directive = $lines[-1]
    # PowerShell offers files itself if there are no results.
    if ($directive -match '^:(files|folders|command)') { return }
    if ($lines.Count -eq 1) { return '' }

    $lines | Select-Object -SkipLast 1 | ForEach-Object {
        $value, $description = $_ -split [char]9, 2
        if (-not $description) { $description = $value }
        $text = $value
        if ($value -notmatch '^[A-Za-z0-9_./:=+-]+$') {
            $escaped = [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value)
            $text = "'" + $escaped + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
`;

/** The scripts by the names of the shells. */
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;
