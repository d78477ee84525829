/** Says at the end of `npm test` which tests it leaves out. */
export function teardown(): void {
  if (process.env.npm_lifecycle_event !== "test") return;
  process.stdout.write(
    "Left out: the tests of pages in a browser. With Chromium: npm run test:browser\n",
  );
}
