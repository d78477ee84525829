# Completion of catalog for PowerShell 5.1 and newer. Without candidates, it completes file names.
Register-ArgumentCompleter -Native -CommandName catalog -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    & $commandAst.GetCommandName() __complete ":$wordToComplete" @typed 2>$null | ForEach-Object {
        $value, $description = $_ -split [char]9, 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}
