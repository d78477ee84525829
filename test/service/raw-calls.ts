/** Raw calls with a fake transport: the requests that would be sent, and their results. */
import { expect } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { CatalogClient } from "../../src/service/client.ts";
import type { HttpRequest, HttpResponse } from "../../src/service/errors.ts";
import type { ClientOptions } from "../../src/service/http.ts";
import { testClock } from "../rig.ts";

/** The id of a course. */
export const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
/** The key that every request carries. */
export const KEY = "someone.secret";

/** A client with a fake transport, and the requests that it sent. */
export function clientOf(
  baseUrl = "https://catalog.example",
  response: Partial<HttpResponse> = {},
  options: Partial<ClientOptions> = {},
) {
  const requests: HttpRequest[] = [];
  const client = new CatalogClient({
    baseUrl,
    apiKey: KEY,
    clock: testClock(),
    ...options,
    transport: async () => ({
      send: async (request) => {
        requests.push(request);
        return { status: 200, headers: {}, body: Buffer.alloc(0), ...response };
      },
      close: async () => undefined,
    }),
  });
  return { client, requests };
}

/** The request of a call, or the error that rejects the call before it is sent. */
export async function sentFor(
  call: Parameters<CatalogClient["raw"]>[0],
  baseUrl?: string,
): Promise<HttpRequest | CatalogError> {
  const { client, requests } = clientOf(baseUrl);
  try {
    await client.raw(call);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    expect(requests).toEqual([]);
    return error;
  }
  expect(requests).toHaveLength(1);
  return requests[0] as HttpRequest;
}
