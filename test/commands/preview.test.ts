/** `courses preview`: cards of courses in files and in the catalog, as a file or in the browser. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { course, type Rig, rig } from "../rig.ts";
import { expectRefused, numberedCourse, rigWith } from "./helpers.ts";
import { getPage, serveCommand } from "./served.ts";

const json = JSON.stringify;

async function read(r: Rig, name = "page.html"): Promise<string> {
  return await readFile(join(r.folder, name), "utf8");
}

/** The texts of the elements with a class, without markup. */
function textsOf(page: string, name: string): string[] {
  const pattern = new RegExp(`<(\\w+) class="${name}[ "][^]*?</\\1>`, "g");
  return [...page.matchAll(pattern)].map(([element]) => element.replace(/<[^>]*>/g, "").trim());
}

describe("files", () => {
  test("preview needs no key, sends nothing, and writes one file with a card for each course", async () => {
    const r = await rig();
    await r.write("courses/a.json", json(course({ name: "Knitting" })));
    await r.write("courses/b.yaml", "name: Sewing\nurl: https://academy.example/sewing\n");
    const ran = await r.run(["courses", "preview", "courses", "--out", "page.html"], {
      environment: { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined },
    });
    expect(ran).toMatchObject({ code: 0, requests: [], stdout: "" });
    expect(ran.stderr).toBe("Wrote 2 courses to page.html.\n");
    const page = await read(r);
    expect(
      [...page.matchAll(/<h2 id="n\d+"[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(([, name]) => name),
    ).toEqual(["Knitting", "Sewing"]);
    expect(page).not.toMatch(/<img|https?:\/\/(?!academy\.example)/);
  });

  test("preview exits with 0 for courses with problems and shows the problems next to their fields", async () => {
    const r = await rig();
    await r.write("a.json", json(course({ pace: "slow", prices: [{ type: "free" }] })));
    const ran = await r.run(["courses", "preview", "a.json", "--out", "page.html"]);
    expect(ran.code).toBe(0);
    const page = await read(r);
    expect(textsOf(page, "badge failed")).toEqual(["2 errors"]);
    expect(page).toMatch(/<dt>Prices<\/dt><dd[^>]*>.*prices\[0\]\.type must be/);
  });

  test("preview exits with 3 if it can read no file, and with 0 and a page if it can read some", async () => {
    const r = await rig();
    await r.write("a.json", json(course()));
    await r.write("empty.json", "");
    const none = ["courses", "preview", "empty.json", "missing.json", "--out", "page.html"];
    const failed = await r.run(none);
    expect(failed.code).toBe(3);
    expect(existsSync(join(r.folder, "page.html"))).toBe(false);
    const some = await r.run(["courses", "preview", "a.json", "empty.json", "--out", "page.html"]);
    expect(some.code).toBe(0);
    expect(await read(r)).toContain("empty.json contains no course");
  });

  test("preview loads images only with --images, and only from URLs of web pages", async () => {
    const r = await rig();
    const images = ["https://i.example/a.png", "javascript:alert(1)", "data:image/png;base64,AA"];
    await r.write("a.json", json(images.map((image_url, n) => numberedCourse(n, { image_url }))));
    await r.run(["courses", "preview", "a.json", "--images", "--out", "page.html"]);
    const page = await read(r);
    expect([...page.matchAll(/<img src="([^"]*)"/g)].map(([, url]) => url)).toEqual([images[0]]);
    expect(page).toContain("img-src https: http:");
    await r.run(["courses", "preview", "a.json", "--out", "plain.html"]);
    expect(await read(r, "plain.html")).not.toContain("img-src");
  });

  test("preview --online also shows approval states, differences and urls of other websites", async () => {
    const stored = [
      numberedCourse(1, { approval_status: "approved" }),
      numberedCourse(2, { approval_status: "rejected" }),
    ];
    const r = await rigWith(...stored);
    const wanted = [numberedCourse(1), numberedCourse(2, { pace: "instructor_paced" })];
    await r.write("a.json", json([...wanted, course({ url: "https://other.example/3" })]));
    const ran = await r.run(["courses", "preview", "a.json", "--online", "--out", "page.html"]);
    expect(ran.code).toBe(0);
    expect(ran.requests.every((sent) => sent.startsWith("GET "))).toBe(true);
    const page = await read(r);
    expect(textsOf(page, "badge approval")).toEqual(["Approval: approved", "Approval: rejected"]);
    expect(textsOf(page, "badge same")).toEqual(["Unchanged"]);
    expect(textsOf(page, "old")).toEqual(["BeforeSelf paced"]);
    expect(textsOf(page, "new")).toEqual(["AfterInstructor paced"]);
    expect(page).toContain("</bdi> url-host</small>");
  });

  test("preview never replaces a course file, and exits with 2 for flags without effect", async () => {
    const r = await rig();
    await r.write("a.json", json(course()));
    const before = await read(r, "a.json");
    const ran = await r.run(["courses", "preview", "a.json", "--out", "a.json"]);
    expect(ran.code).not.toBe(0);
    expect(await read(r, "a.json")).toBe(before);
    for (const flags of [["--port", "1"], ["--no-open"], ["-o", "csv"]]) {
      const words = ["courses", "preview", "a.json", "--out", "page.html", ...flags];
      expectRefused(await r.run(words), 2);
    }
    for (const flags of [["--online"], ["--sheet", "A"], ["--encoding", "utf-8"]]) {
      expectRefused(await r.run(["courses", "preview", "--out", "page.html", ...flags]), 2);
    }
    expect(existsSync(join(r.folder, "page.html"))).toBe(false);
  });

  test("preview reads standard input, CSV files and lists of files", async () => {
    const r = await rig();
    await r.write("a.csv", "name,url\nKnitting,https://academy.example/k\n");
    await r.write("list.txt", "a.csv\n");
    const words = ["courses", "preview", "-", "--files-from", "list.txt", "--out", "page.html"];
    const ran = await r.run(words, { input: json(course({ name: "Weaving" })) });
    expect(ran.stderr).toBe("Wrote 2 courses to page.html.\n");
    const none = await r.run(["courses", "preview", "--files-from", "-", "--out", "x.html"]);
    expect(none).toMatchObject({ code: 0, requests: [] });
    expect(existsSync(join(r.folder, "x.html"))).toBe(false);
  });
});

test("preview without files shows the courses in the catalog with their states", async () => {
  const r = await rigWith(numberedCourse(1, { published: false }), numberedCourse(2));
  const ran = await r.run(["courses", "preview", "--out", "page.html"]);
  expect(ran).toMatchObject({ code: 0, stderr: "Wrote 2 courses to page.html.\n" });
  const page = await read(r);
  expect(page).toContain("<h1>Courses in the catalog</h1>");
  expect(textsOf(page, "badge off")).toEqual(["Not published"]);
  expect(textsOf(page, "provider")).toEqual(["Example Academy", "Example Academy"]);
});

test("preview never writes the key into a page, even if a course contains the key", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("key.json", json(course({ name: "With sandbox.0123456789abcdef inside" })));
  await r.run(["courses", "preview", "key.json", "--out", "page.html"]);
  expect(await read(r)).not.toContain("0123456789abcdef");
});

describe("served pages", () => {
  test("preview serves the present files at each request and exits with 0 on Ctrl-C", async () => {
    const r = await rig();
    await r.write("a.json", json(course({ name: "First" })));
    const { url, stop, out } = await serveCommand(r, "courses", "preview", "a.json");
    expect(out.text).toMatch(/^Preview of 1 course: http:\/\/127\.0\.0\.1:\d+\/\n$/);
    expect((await getPage(url)).body).toContain("First");
    await r.write("a.json", json(course({ name: "Second" })));
    const { status, body, headers } = await getPage(url);
    expect(status).toBe(200);
    expect(body).toContain("Second");
    expect(headers).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect(await stop()).toBe(0);
  });

  test("preview shows an error and the previous cards if it can no longer read the files", async () => {
    const r = await rig();
    await r.write("a.json", json(course({ name: "First" })));
    const { url } = await serveCommand(r, "courses", "preview", "a.json");
    await r.write("a.json", "");
    const { body } = await getPage(url);
    expect(body).toContain("a.json contains no course");
    expect(body).toContain("First");
  });

  test("preview responds only to a browser on this machine, and only to GET and HEAD", async () => {
    const r = await rig();
    await r.write("a.json", json(course()));
    const { url } = await serveCommand(r, "courses", "preview", "a.json");
    const foreign = [
      { host: "attacker.example" },
      { host: `attacker.example:${url.port}` },
      { origin: "https://attacker.example" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      const { status, body } = await getPage(url, headers);
      expect(status).toBe(403);
      expect(body).not.toContain("Knitting");
    }
    expect((await getPage(url, { host: `localhost:${url.port}` })).status).toBe(200);
    expect((await getPage(new URL("/other", url))).status).toBe(404);
    expect((await getPage(url, {}, "POST")).status).toBe(405);
    expect(await getPage(url, {}, "HEAD")).toMatchObject({ status: 200, body: "" });
  });
});
