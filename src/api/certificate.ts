/** Explains why the certificate of a server was rejected. */
import { isObject } from "../base/values.ts";

/** What is wrong with a certificate, and what the user can do about it. */
interface CertificateProblem {
  readonly explain: (cause: unknown) => string;
  readonly advice: string;
}

const PROBLEMS: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: {
    explain: () => "the server's certificate has expired",
    advice:
      "Check the clock of this machine; if it is right, the service must renew its certificate.",
  },
  CERT_NOT_YET_VALID: {
    explain: () => "the server's certificate is not valid yet",
    advice: "Check the clock of this machine, which may be slow.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    explain: explainOtherHost,
    advice: "Check the host in the base URL; it must be one that the certificate is for.",
  },
};

/** Problems of trust: an unknown authority, a self-signed certificate. */
const UNTRUSTED: CertificateProblem = {
  explain: (cause) => `certificate not trusted: ${cause instanceof Error ? cause.message : cause}`,
  advice: "Check the base URL, or set NODE_EXTRA_CA_CERTS to trust the certificate.",
};

/** The problem that an error's code describes; undefined if it is not about a certificate. */
export function certificateProblem(code: string): CertificateProblem | undefined {
  return PROBLEMS[code] ?? (isCertificateCode(code) ? UNTRUSTED : undefined);
}

/** Whether the code is that of a rejected certificate. */
export function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/.test(code);
}

/** Names the hosts of the certificate and the requested one, which Node.js adds to its error. */
function explainOtherHost(cause: unknown): string {
  const { host, cert } = isObject(cause) ? cause : {};
  const alternatives = isObject(cert) ? cert.subjectaltname : undefined;
  const hosts = String(alternatives ?? "another host").replaceAll("DNS:", "");
  return `the server's certificate is for ${hosts}${typeof host === "string" ? `, not for ${host}` : ""}`;
}
