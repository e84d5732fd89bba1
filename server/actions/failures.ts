/** Everything that an action may throw because of what it was asked, for those who tell callers. */
export { Conflict, CreditsExhausted } from "../../db/index.ts";
export {
  type Complaint,
  InvalidRecipe,
  Overloaded,
  SourceTooLarge,
  SourceUnreadable,
} from "../../engine/index.ts";
export { AccountFrozen, PlanRequired } from "./accounts.ts";
export { ChangedMeanwhile, InvalidInput, NotFound, TooManyBytes } from "./errors.ts";
