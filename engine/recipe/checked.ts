declare class Passed {
  protected readonly passed: true;
}

/**
 * A value that has passed its check, see `checkDesign`, `checkRender` and `checkPrint`. Types alone tell
 * it from others. A copy with other fields has not passed: a spread drops the mark.
 */
export type Checked<Value> = Value & Passed;
