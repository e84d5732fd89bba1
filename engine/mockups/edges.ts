/** Detects pixels for which one sample is not enough. */
import { BARE_TONE, type Frame, PRINT_TONE, STRIDE } from "./frame.ts";

/** Visible steps of tone between neighbours, and of the mask. */
const STEP = 0.045;
const MASK_STEP = 0.06;

const MASK = 3;

/** Whether a pixel shows another surface than a neighbour, or a clearly different tone. */
export function isEdge(frame: Frame, x: number, y: number): boolean {
  const i = frame.at(x, y);
  return (
    (x > 0 && differ(frame, i, i - 1)) ||
    (x < frame.size - 1 && differ(frame, i, i + 1)) ||
    (y > 0 && differ(frame, i, frame.at(x, y - 1))) ||
    (y < frame.size - 1 && differ(frame, i, frame.at(x, y + 1)))
  );
}

function differ({ pieces, numbers }: Frame, i: number, j: number): boolean {
  if (pieces[i] !== pieces[j]) return true;
  const a = i * STRIDE;
  const b = j * STRIDE;
  return (
    Math.abs(numbers[a + PRINT_TONE] - numbers[b + PRINT_TONE]) > STEP ||
    Math.abs(numbers[a + BARE_TONE] - numbers[b + BARE_TONE]) > STEP ||
    Math.abs(numbers[a + MASK] - numbers[b + MASK]) > MASK_STEP
  );
}
