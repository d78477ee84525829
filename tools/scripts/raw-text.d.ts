/** The text of a file, which the plugin of raw-text.mjs puts in place of such an import. */
declare module "*?raw" {
  const text: string;
  export default text;
}

/** The text of a script with everything that a file imports. */
declare module "*?bundle" {
  const text: string;
  export default text;
}
