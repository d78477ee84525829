# Completion of catalog for fish 3 and newer. Without candidates, fish completes file names.
function __catalog_has_candidates
    set -l line (commandline --cut-at-cursor --current-process)
    # Both conditions call this function, and the program runs once for a line.
    if test "$line" != "$__catalog_line"
        set -l words (commandline --tokenize --cut-at-cursor --current-process)
        set -l word (commandline --current-token --cut-at-cursor)
        set -g __catalog_line $line
        set -g __catalog_candidates ($words[1] __complete ":$word" $words[2..] 2>/dev/null </dev/null)
    end
    set -q __catalog_candidates[1]
end

complete --command catalog --no-files --keep-order --condition __catalog_has_candidates --arguments '$__catalog_candidates'
complete --command catalog --force-files --condition 'not __catalog_has_candidates'
