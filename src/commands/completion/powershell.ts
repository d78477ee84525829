/** The completion script for PowerShell. */
import { script } from "./script.ts";

/** Is evaluated in the profile; PowerShell 5.1 knows all that it uses. */
export const POWERSHELL = script`# Completion of catalog for PowerShell 5.1 and newer.

Register-ArgumentCompleter -Native -CommandName catalog -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # The last word may go on behind the cursor, so that it is left to what PowerShell takes for it.
    $typed = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    $program = $commandAst.GetCommandName()
    $request = @('__complete')
    # Some versions hand no empty word over.
    if ($wordToComplete -eq '') { $request += '--new' }
    $request += '--'
    $request += @($typed | Select-Object -Skip 1)
    if ($wordToComplete -ne '') { $request += $wordToComplete.Trim("'", '"') }

    $ErrorActionPreference = 'SilentlyContinue'
    $lines = @(& $program @request 2>$null)
    if ($lines.Count -eq 0) { return '' }
    $directive = $lines[-1]
    # PowerShell offers files by itself where it is offered nothing.
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
