/** What is asked for in a mockup, checked before anything is loaded or waited for. */
import { describeValue } from "../complaints.ts";
import type { MockupRequest } from "../door.ts";
import { type Complaint, InvalidRecipe } from "../errors.ts";
import { MOCKUP_CELL, products } from "./facts.ts";

/** Checks product and cell. Throws `InvalidRecipe` with everything that is wrong. */
export function checkMockup({ product, cell_mm }: MockupRequest): void {
  const complaints: Complaint[] = [];
  const ids = products.map(({ id }) => id);
  if (!ids.includes(product)) {
    complaints.push({
      path: "/product",
      message: `there is no such product; there are: ${ids.join(", ")}`,
      expected: ids.join(", "),
      received: describeValue(product),
    });
  }
  const { minimum, maximum } = MOCKUP_CELL;
  if (cell_mm !== undefined && !(cell_mm >= minimum && cell_mm <= maximum)) {
    complaints.push({
      path: "/cell_mm",
      message: "the edge of the cell is out of bounds",
      expected: `${minimum}…${maximum} millimetres`,
      received: describeValue(cell_mm),
    });
  }
  if (complaints.length > 0) throw new InvalidRecipe(complaints);
}
