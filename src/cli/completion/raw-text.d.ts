/** The text of a file; the build and the tests replace such an import by it. */
declare module "*?raw" {
  const text: string;
  export default text;
}
