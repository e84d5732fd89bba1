/** Finds motifs of a picture that make good patterns. */
import { CHROMA_WEIGHT } from "../../shaders/effects/effect.ts";
import { apply, compose, type Point, scaling } from "../geometry/affine.ts";
import { type Domain, domainOf, valueAt } from "../geometry/domain.ts";
import { isometriesOf } from "../geometry/isometries.ts";
import { type LabImage, labOf, saliencyOf } from "../image/saliency.ts";
import type { SampledImage } from "../image/samples.ts";
import {
  GROUP_LATTICES,
  type GroupName,
  type IdeaRequest,
  type Lattice,
  type Motif,
  plainDesign,
  type Seam,
} from "../recipe/index.ts";
import type { Size } from "../size.ts";
import { placeMotif } from "./placement.ts";

/** A motif under a group, and why. */
export interface Idea {
  readonly group: GroupName;
  readonly motif: Motif;
  readonly seam: Seam;
  /** Share of what catches the eye in the picture that the motif shows, 0…1. */
  readonly subject: number;
  /** Mean difference in OKLab of what meets along edges that are no mirrors; 0 if all are. */
  readonly mismatch: number;
}

const SCALES = [1, 1.25, 1.6, 2.2];
const ROTATIONS = [0, 30, 45, 90];

/** From one position to the next, as a share of the motif's side, and the most positions along a side. */
const STEP = 0.25;
const MOST_POSITIONS = 24;

/** Shares of a side below this are rounding. */
const TINY = 1e-9;

/** Points across a fundamental domain's box, and along each of its edges. */
const POINTS = 14;

/** Width of the rim in which a subject counts as cut, of the distance from the edge to the middle. */
const RIM = 0.2;

/** Above this mismatch copies are cut along the picture's lines rather than blended. */
const ROUGH = 0.05;

/** Weights of the criteria in a score. */
const WEIGHTS = {
  subject: 1.5,
  density: 0.4,
  cut: 1.2,
  mismatch: 2.5,
  contrast: 0.4,
  turned: 0.06,
};

/** What another idea costs that has the same group or lattice, or a similar motif. */
const REPEATED = { group: 0.5, lattice: 0.08, motif: 0.4 };

interface Scored extends Idea {
  readonly score: number;
}

/**
 * Resolves with the best ideas for a picture, the best first: motifs that show its subject whole, full of
 * contrast, with edges that meet, each unlike those before it.
 * @param picture reduced to a few thousand pixels
 * @param size of the picture itself
 * @param checkpoint called after each group
 */
export async function ideasFor(
  { picture, size }: { readonly picture: SampledImage; readonly size: Size },
  { count, groups, lattice }: Omit<IdeaRequest, "source">,
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<Idea[]> {
  const image = labOf(picture);
  const { width, height } = size;
  const viewed = { image, source: { width, height }, saliency: saliencyOf(picture, image) };
  const candidates: Scored[] = [];
  for (const group of groups) {
    candidates.push(...candidatesOf(viewed, group, lattice));
    await checkpoint();
  }
  const chosen: Scored[] = [];
  while (chosen.length < count && candidates.length > 0) {
    const worth = candidates.map((one) => one.score - costOfRepeating(one, chosen));
    const best = worth.indexOf(Math.max(...worth));
    chosen.push(...candidates.splice(best, 1));
  }
  return chosen.map(({ score: _, ...idea }) => idea);
}

function costOfRepeating(one: Scored, others: readonly Scored[]): number {
  return others.reduce((cost, other) => {
    const isSameLattice = GROUP_LATTICES[other.group] === GROUP_LATTICES[one.group];
    const away = Math.hypot(one.motif.x - other.motif.x, one.motif.y - other.motif.y);
    const sizes = Math.abs(Math.log2(one.motif.scale / other.motif.scale));
    const turned = one.motif.rotation === other.motif.rotation ? 0 : 0.5;
    const likeness = Math.max(0, 1 - 2 * away - sizes - turned);
    return (
      cost +
      (other.group === one.group ? REPEATED.group : 0) +
      (isSameLattice ? REPEATED.lattice : 0) +
      REPEATED.motif * likeness
    );
  }, 0);
}

interface Picture {
  readonly image: LabImage;
  /** Of each pixel; the sum is 1. */
  readonly saliency: Float64Array;
  readonly source: Size;
}

/** Returns the best motif of each scale and rotation. */
function candidatesOf(picture: Picture, group: GroupName, lattice?: Lattice): Scored[] {
  const { lattice: usual, motif: plain, seam } = plainDesign(group);
  const domain = domainOf(isometriesOf(group, lattice ?? usual));
  const points = pointsOf(domain);
  return SCALES.flatMap((scale) =>
    ROTATIONS.flatMap((rotation) => {
      const motif = { ...plain, scale, rotation };
      let best: Scored | undefined;
      for (const centre of centresOf(domain, motif, picture.source)) {
        const scored = scoreOf(picture, domain, points, { ...motif, ...centre });
        if (best !== undefined && scored.score <= best.score) continue;
        const method = scored.mismatch > ROUGH ? ("cut" as const) : seam.method;
        best = { ...scored, group, seam: { ...seam, method } };
      }
      return best === undefined ? [] : [best];
    }),
  );
}

/** Points of a fundamental domain, relative to its centre. */
interface DomainPoints {
  readonly inside: readonly (Point & { readonly isInRim: boolean })[];
  /** Share of them in the rim. */
  readonly rim: number;
  /** Pairs that meet along edges that are no mirrors. */
  readonly pairs: readonly (readonly [Point, Point])[];
}

function pointsOf({ corners, edges }: Domain): DomainPoints {
  const halfWidth = Math.max(...corners.map(({ x }) => Math.abs(x)));
  const halfHeight = Math.max(...corners.map(({ y }) => Math.abs(y)));
  const inside: DomainPoints["inside"][number][] = [];
  for (let i = 0; i < POINTS; i++) {
    for (let j = 0; j < POINTS; j++) {
      const x = ((2 * i + 1) / POINTS - 1) * halfWidth;
      const y = ((2 * j + 1) / POINTS - 1) * halfHeight;
      // Of the distance from the middle, where the excess is k, to the edge, where it is 0.
      const left = Math.min(...edges.map(({ excess }) => valueAt(excess, { x, y }) / excess.k));
      if (left >= 0) inside.push({ x, y, isInRim: left < RIM });
    }
  }
  const pairs = edges.flatMap(({ element, mirror }, n) => {
    if (mirror) return [];
    const [from, to] = [corners[n], corners[(n + 1) % corners.length]];
    return Array.from({ length: POINTS }, (_, k) => {
      const share = (k + 0.5) / POINTS;
      const point = { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
      return [point, apply(element, point)] as const;
    });
  });
  const rim = inside.filter(({ isInRim }) => isInRim).length / inside.length;
  return { inside, rim, pairs };
}

/** Returns centres at which the whole domain lies in the picture; none if it is too large. */
function centresOf(domain: Domain, motif: Motif, source: Size): Pick<Motif, "x" | "y">[] {
  const map = placeMotif(domain.corners, { ...motif, x: 0, y: 0 }, source);
  const corners = domain.corners.map((corner) => apply(map, corner));
  const range = (values: number[], side: number) => {
    const low = -Math.min(...values) / side;
    const high = 1 - Math.max(...values) / side;
    if (high - low < -TINY) return [];
    if (high - low < TINY) return [(low + high) / 2];
    const step = STEP * (Math.max(...values) - Math.min(...values));
    const steps = Math.min(Math.ceil(((high - low) * side) / step) + 1, MOST_POSITIONS - 1);
    return Array.from({ length: steps + 1 }, (_, n) => low + ((high - low) * n) / steps);
  };
  const xs = range(
    corners.map(({ x }) => x),
    source.width,
  );
  const ys = range(
    corners.map(({ y }) => y),
    source.height,
  );
  return xs.flatMap((x) => ys.map((y) => ({ x, y })));
}

function scoreOf(
  { image, saliency, source }: Picture,
  domain: Domain,
  { inside, rim, pairs }: DomainPoints,
  motif: Motif,
): Pick<Scored, "motif" | "subject" | "mismatch" | "score"> {
  const toImage = compose(
    scaling(image.width / source.width, image.height / source.height),
    placeMotif(domain.corners, motif, source),
  );
  const indexAt = (point: Point) => {
    const { x, y } = apply(toImage, point);
    const column = Math.min(Math.max(Math.floor(x), 0), image.width - 1);
    return Math.min(Math.max(Math.floor(y), 0), image.height - 1) * image.width + column;
  };
  let [shown, atRim, sum, squares] = [0, 0, 0, 0];
  for (const point of inside) {
    const n = indexAt(point);
    shown += saliency[n];
    if (point.isInRim) atRim += saliency[n];
    sum += image.lightness[n];
    squares += image.lightness[n] ** 2;
  }
  let different = 0;
  for (const [one, other] of pairs) {
    const [n, m] = [indexAt(one), indexAt(other)];
    different += Math.hypot(
      image.lightness[n] - image.lightness[m],
      CHROMA_WEIGHT * (image.a[n] - image.a[m]),
      CHROMA_WEIGHT * (image.b[n] - image.b[m]),
    );
  }
  // Pixels of the reduced picture that a point stands for.
  const pixels = areaOf(domain, toImage) / inside.length;
  const subject = Math.min(shown * pixels, 1);
  const density = Math.min((shown / inside.length) * saliency.length, 3) / 3;
  // What lies in the rim beyond half of what would by chance.
  const cut = shown === 0 ? 0 : Math.max(atRim / shown - rim / 2, 0);
  const mean = sum / inside.length;
  const contrast = Math.sqrt(Math.max(squares / inside.length - mean * mean, 0));
  const mismatch = pairs.length === 0 ? 0 : different / pairs.length;
  // A domain with few edges that are no mirrors has little to mismatch.
  const seams = Math.min(1, pairs.length / POINTS / 4);
  const score =
    WEIGHTS.subject * Math.sqrt(subject) +
    WEIGHTS.density * density -
    WEIGHTS.cut * cut -
    WEIGHTS.mismatch * mismatch * seams +
    WEIGHTS.contrast * Math.min(contrast / 0.2, 1) -
    WEIGHTS.turned * Number(motif.rotation !== 0);
  return { motif, subject, mismatch, score };
}

/** Returns the area of a domain in pixels. */
function areaOf({ corners }: Domain, map: Parameters<typeof apply>[0]): number {
  const area = corners.reduce((sum, one, n) => {
    const other = corners[(n + 1) % corners.length];
    return sum + one.x * other.y - other.x * one.y;
  }, 0);
  return Math.abs((area / 2) * (map.a * map.d - map.b * map.c));
}
