import { BadTarget } from "./errors.ts";

/**
 * Reads the address of something to ask for, relative to the one that led there. The URL parser
 * also brings the many spellings of an IPv4 address (2130706433, 0x7f.1) into the usual one.
 * Throws BadTarget for what is no address, has another scheme than http or https, or holds a password.
 */
export function readTarget(text: string, from?: URL): URL {
  const expected = "an http:// or https:// address";
  const url = URL.parse(text, from);
  if (!url) throw new BadTarget(expected, "no address");
  if (!/^https?:$/.test(url.protocol)) throw new BadTarget(expected, `one with ${url.protocol}`);
  if (url.username || url.password) {
    throw new BadTarget("an address without a user name and password", "one with them");
  }
  // The dot at the end of a fully qualified name is for resolvers; certificates do not have it.
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
}
