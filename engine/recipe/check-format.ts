/** Checks that a render's format can hold its picture. */

import type { ValidationIssue } from "../errors.ts";
import type { Size } from "../size.ts";
import { FORMATS, formatFacts, holds, LIMITS, type RenderFields } from "./index.ts";

/** Returns what is wrong with the format for a picture of this size in pixels. */
export function formatIssues(
  { format }: Pick<RenderFields, "format">,
  { width, height }: Size,
): ValidationIssue[] {
  if (holds(format, width, height)) return [];
  const { maximumPixels = LIMITS.surface.maximumPixels, maximumSide = LIMITS.surface.maximum } =
    formatFacts[format];
  const others = FORMATS.filter((other) => holds(other, width, height)).join(", ");
  const issue = (message: string, expected: string, received: string): ValidationIssue => ({
    path: "/format",
    message: `${message}; one of ${width} × ${height} pixels can be had as ${others}`,
    expected: `${others}, or ${expected}`,
    received: `${format} ${received}`,
  });
  const issues: ValidationIssue[] = [];
  if (width * height > maximumPixels) {
    issues.push(
      issue(
        `a picture in ${format} is made of the whole of it in memory`,
        `at most ${maximumPixels} pixels`,
        `with ${width * height} pixels`,
      ),
    );
  }
  if (Math.max(width, height) > maximumSide) {
    issues.push(
      issue(
        `no side of a picture in ${format} can be longer than ${maximumSide} pixels`,
        `sides of at most ${maximumSide} pixels`,
        `of ${width} × ${height} pixels`,
      ),
    );
  }
  return issues;
}
