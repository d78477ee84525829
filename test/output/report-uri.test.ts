import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uriReference } from "../../src/output/report-sarif.ts";
import { scaleRuns } from "../long.ts";
import { anyText } from "./report-rig.ts";

/** A URI without query and fragment (RFC 3986). */
const PATH = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*$/;

describe("uriReference", () => {
  test.each([
    ["courses/a.yaml", "courses/a.yaml"],
    ["../other/a.yaml", "../other/a.yaml"],
    ["a b/ä%.yaml", "a%20b/%C3%A4%25.yaml"],
    ["a:b.yaml", "a%3Ab.yaml"],
    ["http://evil.example/a.yaml", "http%3A//evil.example/a.yaml"],
    ["javascript:alert(1)", "javascript%3Aalert(1)"],
    ["a?b#c.yaml", "a%3Fb%23c.yaml"],
    ["a\\b.yaml", "a%5Cb.yaml"],
    ["C:\\a.yaml", "C%3A%5Ca.yaml"],
    ["/srv/a b.yaml", "file:///srv/a%20b.yaml"],
    ["//srv/a.yaml", "file:///srv/a.yaml"],
    ["<stdin>", "%3Cstdin%3E"],
    ["a\ud800.yaml", "a%EF%BF%BD.yaml"],
    [".", "."],
  ])("uriReference converts the file name %j to %s", (name, uri) => {
    expect(uriReference(name)).toBe(uri);
  });

  test("uriReference stays a path for any name", () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const uri = uriReference(name);
        expect(uri.replace(/^file:\/\//, "")).toMatch(PATH);
        const url = new URL(uri, "file:///one/two/");
        expect([url.protocol, url.host, url.search, url.hash]).toEqual(["file:", "", "", ""]);
      }),
      { numRuns: scaleRuns(50) },
    );
  });
});
