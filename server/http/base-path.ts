/**
 * The path that every route of the service has before it as clients see it: `/patterns` where
 * PUBLIC_URL is `https://shop.example/patterns` and the proxy strips it, else empty. Paths in
 * responses start with it.
 */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, "");
}
