/** Arrays that are used again: fresh memory often takes more time than what is written to it. */

/** Returns an array of that length, which may still hold earlier numbers. */
export type Allocate<A> = (length: number) => A;

/**
 * Returns a function whose arrays share their memory: each is valid until the next call.
 * @param create returns a new array
 * @param maximum length of the memory that is kept; longer arrays have memory of their own
 */
export function reusedArray<
  A extends { readonly length: number; subarray(from: number, to: number): A },
>(create: Allocate<A>, maximum: number): Allocate<A> {
  let kept = create(0);
  return (length) => {
    if (length > maximum) return create(length);
    if (length > kept.length) kept = create(length);
    return kept.subarray(0, length);
  };
}

export const newBytes: Allocate<Uint8Array> = (length) => new Uint8Array(length);
export const newNumbers: Allocate<Float32Array> = (length) => new Float32Array(length);
/** Other threads can use the array, too, except in browsers, where pages may have no shared memory. */
const newSharedNumbers: Allocate<Float32Array> = (length) =>
  typeof SharedArrayBuffer === "undefined"
    ? newNumbers(length)
    : new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT));

/** Arrays for pictures, whose memory goes from one to the next. */
export interface PictureMemory {
  /**
   * Returns an array for the caller alone, which may still hold the numbers of an earlier picture. Threads can share it
   * unless it is larger than what is kept: V8 does not count shared memory when it decides whether to collect garbage.
   */
  take(length: number): Float32Array;
  /** Keeps the memory of an array, or of a view of it, for later ones. The caller must not use it any more. */
  giveBack(array: Pick<ArrayBufferView, "buffer">): void;
}

/** @param maximumBytes limit of the memory kept for later arrays; the least recently used is released first */
export function createPictureMemory(maximumBytes: number): PictureMemory {
  /** The least recently used first. */
  const free: ArrayBufferLike[] = [];
  const held = () => free.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return {
    take(length) {
      const bytes = length * Float32Array.BYTES_PER_ELEMENT;
      const create = bytes <= maximumBytes ? newSharedNumbers : newNumbers;
      const fits = ({ byteLength }: ArrayBufferLike) =>
        byteLength >= bytes && byteLength <= 2 * bytes;
      const [fitting] = free.filter(fits).sort((a, b) => a.byteLength - b.byteLength);
      const at = free.indexOf(fitting);
      return at < 0 ? create(length) : new Float32Array(free.splice(at, 1)[0], 0, length);
    },
    giveBack({ buffer }) {
      // One that was transferred has no memory any more.
      if (buffer.byteLength === 0 || buffer.byteLength > maximumBytes) return;
      free.push(buffer);
      while (held() > maximumBytes) free.shift();
    },
  };
}

/** Arrays that were taken from a memory and are given back together. */
export interface Loan {
  readonly allocate: Allocate<Float32Array>;
  giveBack(): void;
}

/** Returns what takes arrays from a memory. They are not given back by themselves. */
export function borrowFrom(memory: PictureMemory): Loan {
  const taken: Float32Array[] = [];
  return {
    allocate(length) {
      const numbers = memory.take(length);
      taken.push(numbers);
      return numbers;
    },
    giveBack() {
      for (const numbers of taken.splice(0)) memory.giveBack(numbers);
    },
  };
}

/** Memory for the rows of a sheet, which goes from one band to the next. */
export interface RowMemory {
  /** Resolves with the rows that `render` returns, in memory that the next call may use again. */
  rows<Rows>(render: (allocate: Allocate<Float32Array>) => Promise<Rows>): Promise<Rows>;
  /** Gives back the memory of the last rows. */
  end(): void;
}

export function createRowMemory(memory: PictureMemory): RowMemory {
  const { allocate, giveBack } = borrowFrom(memory);
  return {
    rows(render) {
      giveBack();
      return render(allocate);
    },
    end: giveBack,
  };
}
