/** Faults on the way to the service: addresses, certificates, proxies. */
import { done, fails, type WayFault } from "./fault.ts";

const PROXY = "through the proxy that HTTP_PROXY names, unless NO_PROXY says otherwise";

/** The faults, in the order of the page. */
export const WAY_FAULTS: readonly WayFault[] = [
  {
    group: "way",
    title: "Nobody listens at the address",
    way: "nobody",
    says: "nothing listens there",
    first: fails(6, 5),
  },
  {
    group: "way",
    title: "The certificate is of an unknown authority",
    way: "unknown authority",
    says: "its certificate is not trusted",
    first: fails(6),
  },
  {
    group: "way",
    title: "The address begins with https, and the server speaks only http",
    way: "no TLS",
    says: "does not speak TLS",
    first: fails(6),
  },
  {
    group: "way",
    title: "A proxy stands between, and does its work",
    way: "proxy",
    says: null,
    first: done(),
  },
  {
    group: "way",
    title: "The proxy is not there",
    way: "no proxy",
    says: `${PROXY}: nothing listens there`,
    first: fails(6, 5),
  },
  {
    group: "way",
    title: "The proxy asks for a user name and a password (407)",
    way: "proxy that asks for a login",
    says: `${PROXY}: it asks for a user name and a password (HTTP 407)`,
    first: fails(6),
  },
  {
    group: "way",
    title: "The proxy refuses to lead there (403)",
    way: "proxy that refuses",
    says: `${PROXY}: it refused (HTTP 403)`,
    first: fails(6),
  },
  {
    group: "way",
    title: "The proxy cannot reach the service (502)",
    way: "proxy that fails",
    says: `${PROXY}: it refused (HTTP 502)`,
    first: fails(6, 5),
  },
];
