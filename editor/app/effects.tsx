/** Chains of effects, with controls that are made from the catalogues' schemas. */
import type { EffectUse } from "../../engine/core.ts";
import { descriptionOf, t, titleOf } from "../shared/messages.ts";
import { Select } from "./controls.tsx";
import { change, changeDesign, draft } from "./history.ts";
import { ParameterControl, type ParameterSchema } from "./parameter-control.tsx";
import { view } from "./views.tsx";
import { effects, styles, surfaceEffects } from "./workspace.ts";

/** An effect of a catalogue, as the API lists it. */
interface Effect {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

type Uses = readonly EffectUse[];

export function Effects() {
  return (
    <section class="panel" aria-labelledby="effects">
      <h2 id="effects">{t("effects.title")}</h2>
      <Chain
        kind="effect"
        add={t("effects.add")}
        catalogue={effects.value}
        uses={draft.value.design.effects}
        onChange={(uses, during) => changeDesign({ effects: uses }, during)}
      />
    </section>
  );
}

export function SurfaceEffects() {
  const { design, surfaceEffects: own } = draft.value;
  const ofStyle = styles.value.find(({ name }) => name === design.style)?.surface_effects;
  return (
    <section class="panel" aria-labelledby="surface">
      <h2 id="surface">{t("surface.title")}</h2>
      <p class="hint">{t("surface.hint")}</p>
      <Chain
        kind="surface"
        add={t("surface.add")}
        catalogue={surfaceEffects.value}
        uses={own ?? ofStyle ?? []}
        onChange={(uses, during) => {
          // A tile has no surface.
          if (view.value === "tile") view.value = "sheet";
          change({ surfaceEffects: uses }, during);
        }}
      />
    </section>
  );
}

interface ChainProps {
  readonly kind: "effect" | "surface";
  /** Label of the choice of another effect. */
  readonly add: string;
  readonly catalogue: readonly Effect[];
  readonly uses: Uses;
  readonly onChange: (uses: Uses, during: string | null) => void;
}

function Chain({ kind, add, catalogue, uses, onChange }: ChainProps) {
  return (
    <>
      {uses.length > 0 && (
        <ol class="chain">
          {uses.map((use, at) => (
            <li key={`${at} ${use.id}`}>
              <Step {...{ kind, use, at, uses, catalogue, onChange }} />
            </li>
          ))}
        </ol>
      )}
      <Select label={add} value="" onChange={(id) => id && onChange([...uses, { id }], null)}>
        <option value="">{t("effects.choose")}</option>
        {catalogue.map(({ id, title }) => (
          <option key={id} value={id}>
            {titleOf(kind, id, title)}
          </option>
        ))}
      </Select>
    </>
  );
}

interface StepProps extends Omit<ChainProps, "add"> {
  readonly use: EffectUse;
  readonly at: number;
}

function Step({ kind, use, at, uses, catalogue, onChange }: StepProps) {
  const effect = catalogue.find(({ id }) => id === use.id);
  if (effect === undefined) return null;
  const title = titleOf(kind, use.id, effect.title);
  const without = uses.filter((_, other) => other !== at);
  return (
    <>
      <div class="step">
        <h3>{title}</h3>
        {at > 0 && (
          <button
            type="button"
            aria-label={t("effects.earlier", { title })}
            onClick={() => onChange(without.toSpliced(at - 1, 0, use), null)}
          >
            ↑
          </button>
        )}
        <button
          type="button"
          aria-label={t("effects.remove", { title })}
          onClick={() => onChange(without, null)}
        >
          ✕
        </button>
      </div>
      <p class="hint">{descriptionOf(kind, use.id, effect.description)}</p>
      {Object.entries(effect.parameters)
        .filter(([name]) => name !== "count" || use.params?.inks === undefined)
        .map(([name, schema]) => (
          <ParameterControl
            key={name}
            name={name}
            schema={schema as ParameterSchema}
            value={use.params?.[name]}
            onChange={(value) => {
              const { [name]: _, ...others } = use.params ?? {};
              const params = value === undefined ? others : { ...others, [name]: value };
              onChange(uses.with(at, { ...use, params }), `${use.id} ${at} ${name}`);
            }}
          />
        ))}
    </>
  );
}
