# Completion of catalog for PowerShell 5.1 and newer.

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
    if ($directive -match '^:(files|folders)') { return }
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
