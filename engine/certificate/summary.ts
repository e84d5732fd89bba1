/** A certificate's verdict and its reason, for people. */
import { planeGroup } from "../geometry/plane-groups.ts";
import type { Certificate, CheckedOperation } from "./certificate.ts";
import { HOLDS } from "./tolerance.ts";

type Facts = Omit<Certificate, "summary"> & {
  readonly periods: "lattice" | "stripes" | "plain";
  /** Primitive cells that the claim has in the picture, where that is known. */
  readonly claimedCells: number | null;
  /** Shorter edge of the claimed group's cell, in pixels. */
  readonly cellEdge: number;
};

/** In a cell of fewer pixels than this there is not enough detail to tell groups apart. */
const TELLING = 12;

/** One or two sentences. */
export function summarise(facts: Facts): string {
  if (facts.periods === "plain") {
    return `The picture is of one colour: every operation of ${facts.claimed} holds, and of every other group.`;
  }
  if (facts.verdict === "broken") return `Not ${facts.claimed}: ${broken(facts)}`;
  if (facts.verdict === "valid") return `${valid(facts)}${strained(facts)}`;
  if (facts.periods === "stripes") {
    return `More symmetric than claimed: the picture is made of stripes, which any translation along them leaves as they are. All operations of ${facts.claimed} hold.`;
  }
  if (facts.found === facts.claimed) {
    return `More symmetric than claimed: the group is ${facts.claimed}, but on a smaller cell. The picture holds ${facts.lattice?.cells} primitive cells where ${facts.claimedCells} were claimed.`;
  }
  return `More symmetric than claimed: the picture is ${facts.found}, which contains ${facts.claimed}.`;
}

function valid({ claimed, operations }: Facts): string {
  const count = planeGroup(claimed).positions.length;
  if (count === 1) {
    return "This is p1: it repeats, and has no other symmetry.";
  }
  const all = `all ${count} operations`;
  if (operations.every(({ exact, max_error }) => exact && max_error === 0)) {
    return `This is ${claimed}, exactly: ${all} map every pixel onto an equal one.`;
  }
  const worst = Math.max(...operations.map(({ relative_error }) => relative_error));
  if (operations.some(({ exact }) => !exact)) {
    return `This is ${claimed}: ${all} hold, the worst within ${percent(worst)} of the picture's contrast. Not all of them map pixels onto pixels, so they were compared between pixels.`;
  }
  return `This is ${claimed}: ${all} hold, the worst within ${percent(worst)} of the picture's contrast, though not every pixel is equal to its image.`;
}

function strained({ lattice }: Facts): string {
  if (lattice === null || lattice.strain < 1e-6) return "";
  return ` The pixels strain the ${lattice.kind} lattice by ${percent(lattice.strain)}.`;
}

function broken(facts: Facts): string {
  const { claimed, found, lattice, operations, failing, periods, cellEdge } = facts;
  const failed = operations.find(({ operation }) => operation === failing);
  const reason = failed === undefined ? "it does not hold." : `${failure(failed)}.`;
  const tiny =
    cellEdge < TELLING
      ? ` A cell is only ${cellEdge.toFixed(1)} pixels wide; that is too small to tell.`
      : "";
  const inOnePlace = failed !== undefined && failed.relative_error <= HOLDS;
  const needed = inOnePlace ? "" : shape(claimed, lattice);
  return `${reason}${needed}${instead(found, periods)}${tiny}`;
}

function failure({ words, operation, relative_error, local_error, worst_at }: CheckedOperation) {
  const named = `the ${words} (${operation}) fails`;
  if (relative_error > HOLDS) {
    return `${named}; the picture and its image differ by ${percent(relative_error)} of the contrast`;
  }
  return `${named} in one place, by ${local_error.toFixed(0)} of 255 steps near (${worst_at.x.toFixed(0)}, ${worst_at.y.toFixed(0)})`;
}

/** What the cell would have to be. */
function shape(claimed: Certificate["claimed"], lattice: Certificate["lattice"]): string {
  const needed = planeGroup(claimed).lattice;
  const isNeeded = needed === "square" || needed === "hexagonal";
  if (lattice === null || !isNeeded || lattice.kind === needed) return "";
  const length = ({ x, y }: { x: number; y: number }) => Math.hypot(x, y).toFixed(1);
  const angle = angleBetween(lattice.a, lattice.b).toFixed(1);
  return ` ${claimed} needs a ${needed} lattice, but the shortest translations are of ${length(lattice.a)} and ${length(lattice.b)} pixels at ${angle}°.`;
}

function angleBetween(a: { x: number; y: number }, b: { x: number; y: number }): number {
  const cos = (a.x * b.x + a.y * b.y) / Math.hypot(a.x, a.y) / Math.hypot(b.x, b.y);
  return (Math.acos(cos) * 180) / Math.PI;
}

function instead(found: Certificate["found"], periods: Facts["periods"]): string {
  if (periods === "stripes") return " The picture is made of stripes.";
  return found === "p1" ? " Only its translations hold." : ` What holds is ${found}.`;
}

function percent(share: number): string {
  const value = 100 * share;
  if (value < 0.01) return "0.01 %";
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(0)} %`;
}
