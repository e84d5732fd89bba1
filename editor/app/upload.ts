/** The user's own files. */
import { computed, signal } from "@preact/signals";
import type { Source } from "../../server/actions/sources.ts";
import type { ShownSource } from "../engine/protocol.ts";
import { call } from "../shared/api.ts";
import { shownDraft } from "./history.ts";
import { addSource, tokenOf } from "./workspace.ts";

/** A file that is shown as this browser decodes it, while it is uploaded. */
const uploading = signal<ShownSource | null>(null);

/** What the pattern is made of: the draft's source, or a file on its way to become it. */
export const shownSource = computed(() => uploading.value ?? shownDraft.value.source);

let files = 0;

/** Uploads a file and designs with it, at once if this browser can decode it. Rejects with `ApiError`. */
export async function addFile(file: File): Promise<void> {
  const decoded = await createImageBitmap(file).catch(() => null);
  if (decoded !== null) {
    const { width, height } = decoded;
    uploading.value = { id: 0, sha256: `file ${++files}`, width, height, file };
  }
  try {
    const form = new FormData();
    form.append("file", isAccepted(file) || decoded === null ? file : await asJpeg(decoded));
    const options = { token: tokenOf(), form, creates: true };
    await addSource(call<Source>("POST", "sources/upload", options));
  } finally {
    uploading.value = null;
    decoded?.close();
  }
}

/** Phones take photographs that only their own browsers decode. */
const isAccepted = ({ type }: File) => !/^image\/hei[cf]/.test(type);

async function asJpeg(picture: ImageBitmap): Promise<Blob> {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.95 });
}
