/** Faults that are known and not fixed yet: what they break, as `kindOf` names it. A fix removes its line. */
export const KNOWN: readonly { readonly fault: string; readonly breaks: RegExp }[] = [];
