/** Things that are joined, such as the pieces of one winding band. */

/** Joins things that have numbers, and tells which belong together (union–find). */
export class Groups {
  readonly #parents: number[];

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, index) => index);
  }

  join(one: number, other: number): void {
    this.#parents[this.of(one)] = this.of(other);
  }

  /** The thing that stands for the group of this one. */
  of(thing: number): number {
    let root = thing;
    while (this.#parents[root] !== root) root = this.#parents[root];
    this.#parents[thing] = root;
    return root;
  }

  /** How many belong to the group of each thing. */
  sizes(): number[] {
    const sizes = this.#parents.map(() => 0);
    this.#parents.forEach((_, thing) => {
      const root = this.of(thing);
      sizes[root]++;
    });
    return sizes;
  }
}
