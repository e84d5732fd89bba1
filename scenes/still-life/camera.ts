/** A camera without distortion; y is up. */
import { MOCKUP_SIZE } from "../scene.ts";

export type Vector = readonly [x: number, y: number, z: number];

/** A ray's direction, of length 1. */
export interface Direction {
  x: number;
  y: number;
  z: number;
}

export interface CameraPlace {
  /** Millimetres. */
  readonly eye: Vector;
  /** Point in the middle of the picture. */
  readonly target: Vector;
  /** Units of the picture for a millimetre at the target. */
  readonly scale: number;
  /** Shift of the picture to the right and down, in its units. */
  readonly shift?: readonly [right: number, down: number];
}

export interface Camera {
  readonly eye: Vector;
  /** Units of the picture from the eye to it. */
  readonly focal: number;
  /** The ray through a point of the picture. */
  aim(x: number, y: number, into: Direction): void;
}

/** Creates a camera. */
export function cameraAt({ eye, target, scale, shift = [0, 0] }: CameraPlace): Camera {
  const ahead = subtract(target, eye);
  const distance = Math.hypot(...ahead);
  const [fx, fy, fz] = unit(ahead);
  const [rx, , rz] = unit([-fz, 0, fx]);
  const [ux, uy, uz] = [-rz * fy, rz * fx - rx * fz, rx * fy];
  const focal = scale * distance;
  const middleX = MOCKUP_SIZE / 2 + shift[0];
  const middleY = MOCKUP_SIZE / 2 + shift[1];
  return {
    eye,
    focal,
    aim(x, y, into) {
      const right = (x - middleX) / focal;
      const up = (middleY - y) / focal;
      const dx = fx + right * rx + up * ux;
      const dy = fy + up * uy;
      const dz = fz + right * rz + up * uz;
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      into.x = dx / length;
      into.y = dy / length;
      into.z = dz / length;
    },
  };
}

/** Returns the unit vector of a direction. */
export function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
