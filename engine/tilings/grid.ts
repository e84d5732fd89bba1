/** The lines that de Bruijn's tilings are made from; see multigrid.ts. */

/** Families of lines; all directions together look alike along both axes: Σ e_j e_jᵀ = (m/2)·1. */
export interface Grid {
  /** Angles are multiples of π/n. */
  readonly n: number;
  /** The angle of each of the m vectors e_j, in 0 … 2n − 1; no two are parallel. */
  readonly directions: readonly number[];
  /** γ_j, regular as `gridOffsets` gives them. */
  readonly offsets: readonly number[];
}
