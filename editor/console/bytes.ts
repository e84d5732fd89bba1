import { formatNumber, t } from "../shared/messages.ts";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Returns a number of bytes for people: 1.5 MiB. */
export function bytesOf(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** power;
  const digits = { maximumFractionDigits: amount < 10 ? 1 : 0 };
  return t(`bytes.${UNITS[power]}`, { amount: formatNumber(amount, digits) });
}
