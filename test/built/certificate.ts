/** A self-signed certificate for localhost until 2049, and its key. */
import { createPrivateKey, X509Certificate } from "node:crypto";

const CERTIFICATE = [
  "MIIBQDCB5qADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDAeFw0xOTEyMzEwMTE2NDBaFw",
  "00OTA1MzEwMTE2NDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIQ7oLTA",
  "FIFcWd0u+GCyzUS6vxuDru4Ss/2nbIa/S2k8NEc4H9AuFSlZTwpRxiGrvLEo6R0MKScW60B4mClvolyjKTAnMBQGA1",
  "UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDyMuIm+sdPRzCHqO1u",
  "5zVsQGiLOYV2UjC7kP9cS947gAIhAL0917N4Tg2nCoTbSliIaXRfTA8RVlWgF+/RtojR4mac",
].join("");

const KEY = [
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghwar1zQcJVBzxBflWsOFEi7x2vWI+W579+qLpNNs4t",
  "2hRANCAASEO6C0wBSBXFndLvhgss1Eur8bg67uErP9p2yGv0tpPDRHOB/QLhUpWU8KUcYhq7yxKOkdDCknFutAeJgp",
  "b6Jc",
].join("");

const der = (text: string): Buffer => Buffer.from(text, "base64");

/** Both as a server takes them. */
export const SELF_SIGNED = {
  cert: new X509Certificate(der(CERTIFICATE)).toString(),
  key: createPrivateKey({ key: der(KEY), format: "der", type: "pkcs8" })
    .export({ format: "pem", type: "pkcs8" })
    .toString(),
};
