/** Origins of shops, to which customers may be sent back. */

/** This machine, as an address names it. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether customers may be sent there at all: https, or http on the same machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Whether a text is such an origin, and nothing more. */
export function isReturnOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.origin === text && isSafe(url);
}
