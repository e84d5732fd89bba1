import { attempt } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { request } from "./session.ts";

/** Downloads a file that only the owner may fetch, and saves it under a name. */
export function download(path: string, name: string): void {
  void attempt({ name: t("shell.downloading"), subject: path }, async () => {
    const response = await request("GET", path);
    const url = URL.createObjectURL(await response.blob());
    const link = document.createElement("a");
    Object.assign(link, { href: url, download: name });
    link.click();
    // After the browser has begun to save it.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
}

/** Returns a name for files: letters and digits of any language, and hyphens. */
export const fileName = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "") || "pattern";
