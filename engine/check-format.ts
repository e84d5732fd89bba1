/** Checks that a render's format can hold its picture. */
import type { Complaint } from "./errors.ts";
import {
  FORMATS,
  formatFacts,
  holds,
  LIMITS,
  type PixelSize,
  type RenderFields,
} from "./recipe.ts";

/** Returns what is wrong with the format for a picture of this size in pixels. */
export function formatComplaints(
  { format }: Pick<RenderFields, "format">,
  { width, height }: PixelSize,
): Complaint[] {
  if (holds(format, width, height)) return [];
  const { maximumPixels = LIMITS.surface.maximumPixels, maximumSide = LIMITS.surface.maximum } =
    formatFacts[format];
  const others = FORMATS.filter((other) => holds(other, width, height)).join(", ");
  const complaint = (message: string, expected: string, received: string): Complaint => ({
    path: "/format",
    message: `${message}; one of ${width} × ${height} pixels can be had as ${others}`,
    expected: `${others}, or ${expected}`,
    received: `${format} ${received}`,
  });
  const complaints: Complaint[] = [];
  if (width * height > maximumPixels) {
    complaints.push(
      complaint(
        `a picture in ${format} is made of the whole of it in memory`,
        `at most ${maximumPixels} pixels`,
        `with ${width * height} pixels`,
      ),
    );
  }
  if (Math.max(width, height) > maximumSide) {
    complaints.push(
      complaint(
        `no side of a picture in ${format} can be longer than ${maximumSide} pixels`,
        `sides of at most ${maximumSide} pixels`,
        `of ${width} × ${height} pixels`,
      ),
    );
  }
  return complaints;
}
