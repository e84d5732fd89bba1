/** A camera's view of cloth as a grid of texels: position on the print, height, normal. */
import type { Size } from "../../engine/size.ts";
import type { Sheet } from "./sheet.ts";

/** Pixels of the scene between texels. */
export const MAP_STEP = 2;

/** A part of the picture, in pixels. */
export interface Window extends Size {
  readonly left: number;
  readonly top: number;
}

/** From millimetres of a sheet to pixels of the scene. */
export interface View {
  /** Pixels a millimetre. */
  readonly scale: number;
  /** Pixel that shows the origin. */
  readonly left: number;
  readonly top: number;
}

/** Planes of `columns` × `rows` texels; texel (i, j) lies `MAP_STEP` · (i, j) from the corner. */
export interface ClothMap {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly view: View;
  /** Millimetres of the whole cloth. */
  readonly cloth: Size;
  /** Millimetres on the cloth. */
  readonly u: Float32Array;
  readonly v: Float32Array;
  /** Right and down parts of the unit normal, which faces the viewer. */
  readonly facingX: Float32Array;
  readonly facingY: Float32Array;
  /** Pixels towards the viewer; `NaN` where there is no cloth. */
  readonly height: Float32Array;
}

/** Rasterises `sheet` in `window`; nearer cloth hides what is behind it. */
export function rasteriseSheet(sheet: Sheet, view: View, window: Window): ClothMap {
  const columns = Math.ceil(window.width / MAP_STEP) + 1;
  const rows = Math.ceil(window.height / MAP_STEP) + 1;
  const plane = () => new Float32Array(columns * rows);
  const map: ClothMap = {
    left: window.left,
    top: window.top,
    columns,
    rows,
    view,
    cloth: {
      width: (sheet.columns - 1) * sheet.across,
      height: (sheet.rows - 1) * sheet.down,
    },
    u: plane(),
    v: plane(),
    facingX: plane(),
    facingY: plane(),
    height: plane().fill(Number.NaN),
  };
  const corners = cornersOf(sheet, map);
  for (let j = 0; j + 1 < sheet.rows; j++) {
    for (let i = 0; i + 1 < sheet.columns; i++) {
      const node = j * sheet.columns + i;
      fill(map, corners, node, node + 1, node + sheet.columns);
      fill(map, corners, node + sheet.columns + 1, node + sheet.columns, node + 1);
    }
  }
  return map;
}

/** Numbers of a corner: place in texels, height in pixels, print, normal. */
const CORNER = 7;

/** All nodes of a sheet as corners of triangles. */
function cornersOf(sheet: Sheet, { left, top, view }: ClothMap): Float32Array {
  const { columns, rows, across, down, x, y, z } = sheet;
  const corners = new Float32Array(columns * rows * CORNER);
  const scale = view.scale / MAP_STEP;
  for (let j = 0; j < rows; j++) {
    const above = Math.max(j - 1, 0) * columns;
    const below = Math.min(j + 1, rows - 1) * columns;
    for (let i = 0; i < columns; i++) {
      const node = j * columns + i;
      const l = j * columns + Math.max(i - 1, 0);
      const r = j * columns + Math.min(i + 1, columns - 1);
      const a = above + i;
      const b = below + i;
      const ex = x[r] - x[l];
      const ey = y[r] - y[l];
      const ez = z[r] - z[l];
      const fx = x[b] - x[a];
      const fy = y[b] - y[a];
      const fz = z[b] - z[a];
      const nx = ey * fz - ez * fy;
      const ny = ez * fx - ex * fz;
      const nz = ex * fy - ey * fx;
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-9;
      const at = node * CORNER;
      corners[at] = x[node] * scale + (view.left - left) / MAP_STEP;
      corners[at + 1] = y[node] * scale + (view.top - top) / MAP_STEP;
      corners[at + 2] = z[node] * view.scale;
      corners[at + 3] = i * across;
      corners[at + 4] = j * down;
      corners[at + 5] = nx / length;
      corners[at + 6] = ny / length;
    }
  }
  return corners;
}

/** Fills the texels in a triangle of three corners that faces the camera, if nothing is nearer. */
function fill(map: ClothMap, corners: Float32Array, p: number, q: number, r: number): void {
  const a = p * CORNER;
  const b = q * CORNER;
  const c = r * CORNER;
  const ax = corners[a];
  const ay = corners[a + 1];
  const bx = corners[b] - ax;
  const by = corners[b + 1] - ay;
  const cx = corners[c] - ax;
  const cy = corners[c + 1] - ay;
  const area = bx * cy - by * cx;
  if (area <= 0) return;
  const { columns, rows, height } = map;
  const first = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx)));
  const last = Math.min(columns - 1, Math.floor(ax + Math.max(0, bx, cx)));
  const bottom = Math.min(rows - 1, Math.floor(ay + Math.max(0, by, cy)));
  for (let j = Math.max(0, Math.ceil(ay + Math.min(0, by, cy))); j <= bottom; j++) {
    for (let i = first; i <= last; i++) {
      const s = ((i - ax) * cy - (j - ay) * cx) / area;
      const t = ((j - ay) * bx - (i - ax) * by) / area;
      const w = 1 - s - t;
      if (s < -1e-5 || t < -1e-5 || w < -1e-5) continue;
      const texel = j * columns + i;
      const near = w * corners[a + 2] + s * corners[b + 2] + t * corners[c + 2];
      if (near <= height[texel]) continue;
      height[texel] = near;
      map.u[texel] = w * corners[a + 3] + s * corners[b + 3] + t * corners[c + 3];
      map.v[texel] = w * corners[a + 4] + s * corners[b + 4] + t * corners[c + 4];
      map.facingX[texel] = w * corners[a + 5] + s * corners[b + 5] + t * corners[c + 5];
      map.facingY[texel] = w * corners[a + 6] + s * corners[b + 6] + t * corners[c + 6];
    }
  }
}
