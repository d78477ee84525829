/** Tells what an HTTP header can hold. */

/** Whether a text can be a header's value as it is: printable ASCII without blanks. */
export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
