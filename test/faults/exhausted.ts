/** The line on standard error for each render thread that fills its heap. */
export const EXHAUSTED = "a render thread fills its heap";
