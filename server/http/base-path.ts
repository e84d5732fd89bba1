/**
 * Returns the base path of the service as clients see it: `/patterns` where PUBLIC_URL is
 * `https://shop.example/patterns` and the proxy strips it, else an empty string. Paths in responses
 * start with it.
 */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, "");
}
