/** Faults that are known and not fixed yet: what they break, as `kindOf` names it. A fix removes its line. */
export const KNOWN: readonly { readonly fault: string; readonly breaks: RegExp }[] = [
  {
    fault: "an equal course is planned as its four identifying fields",
    breaks: /^Unchanged courses|^A record has/,
  },
  {
    fault: "spellings of a url are compared in several ways",
    breaks: /^push (makes|changes)|^Of several|^pull then push/,
  },
  { fault: "plans and undo do not ask whether a url is free", breaks: /^No command gives/ },
  { fault: "undo refuses courses that shared a url before the run", breaks: /^undo restores/ },
  { fault: "rm by url does not ask whether the list is reliable", breaks: /^An unreliable list/ },
  { fault: "deletions are not read once more", breaks: /^Deletions are read/ },
  {
    fault: "overwrite sends what changed only in the catalog",
    breaks: /^What changed only|^Of a workbook/,
  },
  { fault: "a workbook does not learn from its pushes", breaks: /^The same workbook/ },
];
