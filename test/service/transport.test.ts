/** The messages of failed name lookups. */
import { expect, test } from "vitest";
import { toTransportError } from "../../src/service/transport.ts";

test.each([
  ["ENOTFOUND", "host api.catalog.example not found"],
  ["EAI_AGAIN", "the host name api.catalog.example could not be resolved"],
])("an error of the transport names the host after %s", (code, message) => {
  const cause = Object.assign(new Error("getaddrinfo"), { code, hostname: "api.catalog.example" });
  const error = toTransportError(new Error("request failed", { cause }));
  expect(error).toMatchObject({ code, message, retryable: true });
});
