# Completion of catalog for fish 3 and newer.

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
        case '*'
            printf '%s\n' $lines
    end
end

complete --command catalog --no-files --keep-order --arguments '(__catalog_complete)'
