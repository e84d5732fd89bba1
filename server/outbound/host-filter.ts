/** Whether a host, as a URL writes it, may be asked. */
export type HostFilter = (hostname: string) => boolean;

/**
 * Lets through the hosts of a list, where `*.example.com` stands for all below `example.com` but
 * not for itself. An empty list lets all through.
 */
export function hostFilter(names: readonly string[]): HostFilter {
  if (names.length === 0) return () => true;
  return (hostname) =>
    names.some((name) =>
      name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name,
    );
}
