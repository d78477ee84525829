/** A listing that never ends or exceeds the memory ends with an error and changes nothing. */
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { someOf } from "../long.ts";
import { newFolder, runCatalog } from "./rig.ts";

const PROVIDER = { id: "00000000-0000-4000-9000-000000000000", name: "P", slug: "p" };

/** Serves pages of two megabytes forever. @returns its address */
async function startEndlessService(): Promise<string> {
  const long_description = "x".repeat(20_000);
  const server = createServer(({ url = "" }, response) => {
    const { searchParams, pathname } = new URL(url, "http://service");
    const offset = Number(searchParams.get("offset"));
    const courses = Array.from({ length: 100 }, (_, index) => {
      const id = `00000000-0000-4000-8000-${String(offset + index).padStart(12, "0")}`;
      return {
        id,
        name: id,
        url: `https://p.example/${id}`,
        provider_id: PROVIDER.id,
        long_description,
      };
    });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(pathname.endsWith("providers") ? [PROVIDER] : courses));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(
  someOf(
    [
      ["courses", "pull", "out"],
      ["courses", "ls", "--all", "--sort", "name"],
      ["courses", "ls", "--all", "-o", "table", "--fields", "long_description"],
    ],
    1,
  ),
)(
  "the built program's %s %s of an endless listing fails before the memory is full",
  async (...words) => {
    const folder = await newFolder();
    const ran = await runCatalog(words, {
      folder,
      environment: {
        CATALOG_BASE_URL: await startEndlessService(),
        CATALOG_API_KEY: "user.secret",
        NODE_OPTIONS: "--max-old-space-size=128",
      },
    });
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain("the service sent more courses than fit into memory");
    expect(await readdir(folder)).not.toContain("out");
  },
);
