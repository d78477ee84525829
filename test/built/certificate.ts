/** A self-signed certificate for localhost and catalog.invalid until 2049, and its key. */
import { createPrivateKey, X509Certificate } from "node:crypto";

const CERTIFICATE = [
  "MIIBUDCB96ADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDAeFw0xOTEyMzEwMjIzMzVaFw",
  "00OTA1MzEwMjIzMzVaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABN3Drb6K",
  "5u8OwLYwHI3pRU7lCPR+U4IJTvmHk4SPN4HKi0f+HB1PEbC3Brboweo3SH6wzFKXzs9PUHNYvi8HToijOjA4MCUGA1",
  "UdEQQeMByCCWxvY2FsaG9zdIIPY2F0YWxvZy5pbnZhbGlkMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAw",
  "RQIhAOSxcNVZgVCskFcDFaGngE/DkKkbAx9LllUJnu3iCYCIAiBnc2QQVZ/6d3uiUfuV2lVcbGYM3O/aX0sH7KuuEg",
  "6zZg==",
].join("");

const KEY = [
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgovtLtMCY1JdZB98KxZKXZqvI4WpUsBNz5RW5wGR9Ao",
  "+hRANCAATdw62+iubvDsC2MByN6UVO5Qj0flOCCU75h5OEjzeByotH/hwdTxGwtwa26MHqN0h+sMxSl87PT1BzWL4v",
  "B06I",
].join("");

const der = (text: string): Buffer => Buffer.from(text, "base64");

/** Both as a server takes them. */
export const SELF_SIGNED = {
  cert: new X509Certificate(der(CERTIFICATE)).toString(),
  key: createPrivateKey({ key: der(KEY), format: "der", type: "pkcs8" })
    .export({ format: "pem", type: "pkcs8" })
    .toString(),
};
