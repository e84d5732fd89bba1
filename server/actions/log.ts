/** Takes one entry of the log; an `error` in it is written with its stack. */
export type Log = (entry: Readonly<Record<string, unknown>>) => void;
