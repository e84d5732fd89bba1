/** Connected components, such as the pieces of one winding band. */

/** Union–find over numbered elements. */
export class Groups {
  readonly #parents: number[];

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, index) => index);
  }

  join(one: number, other: number): void {
    this.#parents[this.of(one)] = this.of(other);
  }

  /** Returns the representative of an element's component. */
  of(thing: number): number {
    let root = thing;
    while (this.#parents[root] !== root) root = this.#parents[root];
    this.#parents[thing] = root;
    return root;
  }

  /** Returns the size of each element's component. */
  sizes(): number[] {
    const sizes = this.#parents.map(() => 0);
    this.#parents.forEach((_, thing) => {
      const root = this.of(thing);
      sizes[root]++;
    });
    return sizes;
  }
}
