/** A pattern to play with, rendered here by the engine of the editor, without an account. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Design, GroupName } from "../../engine/core.ts";
import { API, SERVICE } from "../shared/api.ts";
import { failure, show, startEngine } from "../shared/engine.ts";
import { groupTitle } from "../shared/groups.ts";
import { formatNumber, t, titleOf } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";

/** Pictures of presets that the server draws for anyone. */
const PICTURES = { floral: "Flowers", leaves: "Leaves", terrazzo: "Terrazzo", marble: "Marble" };
type Picture = keyof typeof PICTURES;

const pictureTitle = (picture: Picture) => titleOf("preset", picture, PICTURES[picture]);

/** Their edge in pixels. */
const PICTURE_SIZE = 192;

/** From few repetitions to many: one group of each lattice, and those that differ most. */
const GROUPS: readonly GroupName[] = ["p2", "cm", "pgg", "p4", "p4m", "p3", "p6", "p6m"];

/** Edge of the tile in pixels, and of the square that it fills again and again. */
const TILE = 384;
const SQUARE = 768;

type Motif = Design["motif"];

export function LivePattern() {
  const [picture, setPicture] = useState<Picture>("floral");
  const [group, setGroup] = useState<GroupName>("p6m");
  const [motif, setMotif] = useState<Motif>({ x: 0.5, y: 0.5, scale: 1, rotation: 0 });
  return (
    <section class="panel live" aria-label={t("live.title")}>
      <Plane picture={picture} group={group} motif={motif} />
      <div class="choices" role="radiogroup" aria-label={t("live.picture")}>
        {(Object.keys(PICTURES) as Picture[]).map((name) => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="picture"
              aria-label={pictureTitle(name)}
              checked={name === picture}
              onChange={() => setPicture(name)}
            />
            <img src={addressOf(name)} alt="" width={48} height={48} />
          </label>
        ))}
      </div>
      <div class="choices" role="radiogroup" aria-label={t("live.symmetry")}>
        {GROUPS.map((name) => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="group"
              checked={name === group}
              onChange={() => setGroup(name)}
            />
            <span>{groupTitle(name)}</span>
          </label>
        ))}
      </div>
      <label class="slider">
        {t("live.turn")}
        <input
          type="range"
          min={-180}
          max={180}
          value={motif.rotation}
          aria-valuetext={formatNumber(motif.rotation, DEGREES)}
          onInput={({ currentTarget }) =>
            setMotif({ ...motif, rotation: currentTarget.valueAsNumber })
          }
        />
      </label>
    </section>
  );
}

const DEGREES = { style: "unit", unit: "degree", unitDisplay: "narrow" } as const;

const addressOf = (picture: string) => new URL(`editor/presets/${picture}`, SERVICE).href;

interface PlaneProps {
  readonly picture: Picture;
  readonly group: GroupName;
  readonly motif: Motif;
}

/** A part of the plane, filled with the tile. */
function Plane({ picture, group, motif }: PlaneProps) {
  const plane = useRef<HTMLCanvasElement>(null);
  const [tile] = useState(() => document.createElement("canvas"));
  useLayoutEffect(() => {
    startEngine({ api: API.href, token: "" });
    const fill = () => {
      const context = plane.current?.getContext("2d");
      const pattern = context?.createPattern(tile, "repeat");
      if (!context || !pattern) return;
      // While the pattern follows a hand, its tiles may be smaller.
      pattern.setTransform(new DOMMatrix().scale(TILE / tile.width));
      context.fillStyle = pattern;
      context.fillRect(0, 0, SQUARE, SQUARE);
      if (plane.current) plane.current.ariaBusy = tile.ariaBusy;
    };
    tile.addEventListener("picture", fill);
    return () => tile.removeEventListener("picture", fill);
  }, [tile]);
  // In the same turn as the label: a canvas whose picture is not the labelled one is busy.
  useLayoutEffect(() => {
    const size = { width: PICTURE_SIZE, height: PICTURE_SIZE };
    const design = { ...PLAIN, group, motif };
    const source = { id: 0, sha256: picture, png: addressOf(picture), ...size };
    if (plane.current) plane.current.ariaBusy = "true";
    show({ lane: "pattern", design, source, fields: { size: TILE, hex_cells: "2x1" } }, tile);
  }, [tile, picture, group, motif]);
  return (
    <div class="plane">
      <canvas
        ref={plane}
        width={SQUARE}
        height={SQUARE}
        role="img"
        aria-busy="true"
        aria-label={t("live.pattern", {
          picture: pictureTitle(picture),
          group: groupTitle(group),
        })}
      />
      {failure.value && <p>{t("live.failed", { problem: inWords(failure.value) })}</p>}
    </div>
  );
}

const PLAIN: Omit<Design, "group" | "motif"> = {
  lattice: { ratio: 1, repeat: "straight" },
  counterchange: null,
  seam: { method: "blend", width: 0.12, preserve_contrast: true },
  effects: [],
  palette: null,
  style: null,
  background: null,
};
