/** Checks a mockup request before anything is loaded. */
import { type Product, products } from "../../scenes/catalogue.ts";
import { InvalidRecipe, type ValidationIssue } from "../errors.ts";
import type { MockupRequest } from "../recipe/index.ts";
import { describeValue } from "../recipe/validation-issues.ts";

/** Bounds of a cell's edge on a product, in millimetres. */
export const MOCKUP_CELL = { minimum: 5, maximum: 2000 } as const;

/** Returns the product. Throws `InvalidRecipe` with all issues of product and cell. */
export function checkMockup({ product, cell_mm }: MockupRequest): Product {
  const issues: ValidationIssue[] = [];
  const found = products.find(({ id }) => id === product);
  const ids = products.map(({ id }) => id);
  if (found === undefined) {
    issues.push({
      path: "/product",
      message: `there is no such product; there are: ${ids.join(", ")}`,
      expected: ids.join(", "),
      received: describeValue(product),
    });
  }
  const { minimum, maximum } = MOCKUP_CELL;
  if (cell_mm !== undefined && !(cell_mm >= minimum && cell_mm <= maximum)) {
    issues.push({
      path: "/cell_mm",
      message: "the edge of the cell is out of bounds",
      expected: `${minimum}…${maximum} millimetres`,
      received: describeValue(cell_mm),
    });
  }
  if (found === undefined || issues.length > 0) throw new InvalidRecipe(issues);
  return found;
}
