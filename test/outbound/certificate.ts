import { execSync } from "node:child_process";

const COMMAND =
  "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=cats.test -addext subjectAltName=DNS:cats.test -keyout - -out -";

/** A self-signed certificate for `cats.test` and its key, as one PEM text. */
export const PEM = execSync(COMMAND, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
