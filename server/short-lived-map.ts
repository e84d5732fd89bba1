/**
 * A map for values that stay a moment and reach much memory. V8's `Map` moves its entries to a new table now and then, also
 * when as many are deleted as are added; the old table keeps what it had and refers to the new one. Once one such
 * table counts as old, all later ones stay with all that they had until V8 collects old garbage, though new garbage costs
 * it little. This map's values are gone from those tables.
 */
export class ShortLivedMap<Key, Value> {
  readonly #entries = new Map<Key, { value: Value | undefined }>();

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, { value });
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.value = undefined;
    this.#entries.delete(key);
  }
}
