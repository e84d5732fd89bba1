/** What becomes of a render of so many pixels per inch in a failing worker. */
export const FATES = { diesOnce: 101, dies: 102, hangs: 103 } as const;
