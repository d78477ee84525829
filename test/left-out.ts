/** Says at the end of `npm test` which tests it leaves out. */
export function teardown(): void {
  if (process.env.npm_lifecycle_event !== "test") return;
  process.stdout.write(
    "Left out: long tests (npm run test:long), and pages in Chromium (npm run test:browser).\n",
  );
}
