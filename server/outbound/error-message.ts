import { Unreachable } from "./errors.ts";

/** What error codes of Node's sockets, TLS and HTTP parser say about the other side; the first that fits. */
const WORDS: readonly [code: RegExp, words: string][] = [
  [/^ENOTFOUND$/, "leads to no public address"],
  [/^EAI_/, "could not be resolved"],
  [/^ECONNREFUSED$/, "refused the connection"],
  [/^(ECONNRESET|EPIPE|HPE_INVALID_EOF_STATE)$/, "broke off the connection"],
  [/^HPE_HEADER_OVERFLOW$/, "sent too large headers"],
  [/^HPE_/, "did not answer in proper HTTP"],
  [/^(EPROTO|ERR_SSL_)/, "failed in the TLS handshake"],
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  [
    /CERT|UNABLE_TO_VERIFY|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME/,
    "has no valid TLS certificate",
  ],
  // The rest of what a system call answers.
  [/^E[A-Z]+$/, "cannot be reached"],
];

/** The error of a request to `host` in words for a caller; one that is not the other side's as it is. */
export function explain(error: unknown, host: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = WORDS.find(([pattern]) => pattern.test(code))?.[1];
  return words ? new Unreachable(`${host} ${words}`, { cause: error }) : error;
}
