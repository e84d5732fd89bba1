/** What the browser keeps between visits. It may forbid that, to a page in a frame for example. */

/** Returns the text that is kept under a name; null if none is. */
export function keptText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Returns the JSON that is kept under a name; null if none is, or it cannot be read. */
export function kept(name: string): unknown {
  try {
    return JSON.parse(keptText(name) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value as JSON. Returns false where the storage is full or forbidden. */
export function keep(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // What cannot be reached is not kept either.
  }
}
