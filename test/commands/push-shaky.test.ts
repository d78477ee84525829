import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { push, storedUrls, writeCourseFiles, writeRequests } from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

test("two pushes of the same files at the same time create each course once, and both succeed", async () => {
  const r = await rig();
  const urls = await writeCourseFiles(r, 2, 8);
  // Both read the empty catalog before either of them writes.
  let readings = 0;
  let release = (): void => undefined;
  const bothRead = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { environment } = await startRecordingProxy(r, async ({ method, url }) => {
    if (method === "POST") await bothRead;
    if (url.includes("offset=0") && ++readings === 2) release();
  });
  const both = await Promise.all([
    push(r, ["courses"], { environment }),
    push(r, ["courses"], { environment }),
  ]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await storedUrls(r)).toEqual(urls);
  expect(writeRequests(await push(r, ["courses"]))).toEqual([]);
});
