/** The text of a file, which the build and the tests put in place of such an import. */
declare module "*?raw" {
  const text: string;
  export default text;
}
