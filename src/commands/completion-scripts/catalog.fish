# Completion of catalog for fish 3 and newer. Without candidates, it completes file names.
function __catalog_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l word (commandline --current-token --cut-at-cursor)
    set -l found ($words[1] __complete ":$word" $words[2..] 2>/dev/null </dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$word"
    end
end

complete --command catalog --no-files --keep-order --arguments '(__catalog_complete)'
