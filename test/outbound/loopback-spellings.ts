/** Notations of this machine's address. */

/** 127.0.0.1 as URLs may write it. */
export const LOOPBACK = [
  "127.0.0.1",
  "127.0.0.1.",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "127.1",
  "127.0.1",
  "%31%32%37.0.0.1",
  "１２７.0.0.1",
  "127。0。0。1",
];

/** Other addresses of this machine. */
export const ELSEWHERE = [
  "0",
  "0.0.0.0",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
];

/** Resolved by the system's own lookup. */
export const NAMES = ["localhost", "LOCALHOST", "localhost."];
