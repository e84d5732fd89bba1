/** Which names inks can have, for pages that check them before a design is refused. */
export {
  automaticName,
  INK_LIMITS,
  isAutomaticName,
  isSameText,
  nameFault,
} from "../../shaders/effects/lib/ink-names.ts";
