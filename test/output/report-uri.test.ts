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
    ["a b/ä%.yaml", "a%20b/%C3%A4%25.yaml"],
    ["http://evil.example/a.yaml", "http%3A//evil.example/a.yaml"],
    ["a?b#c.yaml", "a%3Fb%23c.yaml"],
    ["C:\\a.yaml", "C%3A%5Ca.yaml"],
    ["/srv/a b.yaml", "file:///srv/a%20b.yaml"],
    ["<stdin>", "%3Cstdin%3E"],
  ])("uriReference converts the file name %j to %s", (name, uri) => {
    expect(uriReference(name)).toBe(uri);
  });

  test("uriReference returns a path for any name", () => {
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
