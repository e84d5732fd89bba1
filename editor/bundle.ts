/**
 * The editor and the console as files for browsers. They are read or made when they are first asked for, see
 * docs/adr/0042.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface EditorFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly brotli: Uint8Array;
  readonly gzip: Uint8Array;
}

/** Names of the files that a page loads. */
export interface PageFiles {
  readonly script: string;
  readonly styles: string;
}

export interface EditorBundle {
  /** Every file by its name, which contains a hash of its content. */
  readonly files: ReadonlyMap<string, EditorFile>;
  readonly editor: PageFiles;
  /** Of the pages of an account's owner. */
  readonly console: PageFiles;
  /** The script for pages of shops, which has the same name at every version. */
  readonly embed: EditorFile;
}

let made: Promise<EditorBundle> | undefined;

/** Resolves with the bundle, which is read or made at the first call and after a failure. */
export function editorBundle(): Promise<EditorBundle> {
  made ??= makeBundle().catch((error) => {
    made = undefined;
    throw error;
  });
  return made;
}

async function makeBundle(): Promise<EditorBundle> {
  const thread = new Worker(new URL("./make-bundle.ts", import.meta.url));
  // Rejects with an error of the thread.
  const [bundle] = await once(thread, "message");
  return bundle;
}
