/** What the editor works with: the session, its sources, the catalogues, and what happens. */
import { effect, signal } from "@preact/signals";
import type { Static } from "typebox";
import type {
  Palette,
  PatternEffect,
  Preset,
  Style,
  SurfaceEffect,
} from "../../server/actions/catalogues.ts";
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import type { Source } from "../../server/actions/sources.ts";
import { API, call } from "./api.ts";
import type { Draft } from "./draft.ts";
import { startEngine } from "./engine.ts";
import { change, draft, keepHistory } from "./history.ts";
import type { Session } from "./session.ts";

export const session = signal<Session | null>(null);
export const sources = signal<readonly Source[]>([]);
export const presets = signal<readonly Static<typeof Preset>[]>([]);
export const palettes = signal<readonly Static<typeof Palette>[]>([]);
export const effects = signal<readonly Static<typeof PatternEffect>[]>([]);
export const surfaceEffects = signal<readonly Static<typeof SurfaceEffect>[]>([]);
export const styles = signal<readonly Static<typeof Style>[]>([]);

/** What is under way or went wrong, for people to read. */
export const status = signal("");
/** Whether something is under way that must not be started twice. */
export const isBusy = signal(false);

/** The design that was saved last, and its pattern. */
export const saved = signal<{ readonly design: string; readonly id: number } | null>(null);

/** Returns the token of the session. Throws before there is one. */
export function tokenOf(): string {
  if (session.value === null) throw new Error("there is no session");
  return session.value.token;
}

/** Runs work with its name as the status, and shows why it failed. */
export async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  if (isBusy.value) return;
  isBusy.value = true;
  status.value = name;
  try {
    await work();
    // Work may leave a message of its own.
    if (status.value === name) status.value = "";
  } catch (error) {
    status.value = `This did not work: ${messageOf(error)}.`;
  } finally {
    isBusy.value = false;
  }
}

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

/** Opens the editor of a session. Rejects with `ApiError`. */
export async function openWorkspace(opened: Session): Promise<void> {
  const { token } = opened;
  const list = <Row>(path: string) =>
    call<{ readonly data: readonly Row[] }>("GET", path, { token });
  startEngine({ api: API.href, token });
  const [known, ofPresets, ofPalettes, ofStyles, ofEffects, ofSurfaces] = await Promise.all([
    list<Source>("sources"),
    list<Static<typeof Preset>>("presets"),
    list<Static<typeof Palette>>("palettes"),
    list<Static<typeof Style>>("styles"),
    list<Static<typeof PatternEffect>>("effects"),
    list<Static<typeof SurfaceEffect>>("surface-effects"),
  ]);
  sources.value = known.data;
  presets.value = ofPresets.data;
  palettes.value = ofPalettes.data;
  styles.value = ofStyles.data;
  effects.value = ofEffects.data;
  surfaceEffects.value = ofSurfaces.data;
  // The end of a token is its signature, which opens nothing on its own.
  const isLost = keepHistory(
    `design ${"account_id" in opened ? opened.account_id : token.slice(-16)}`,
  );
  session.value = opened;
  effect(() => {
    // What went wrong has been read once the design changes.
    if (draft.value && !isBusy.peek()) status.value = "";
  });
  const [newest] = known.data;
  if (draft.value.source === null && newest !== undefined) change({ source: newest });
  status.value = isLost ? "Your last design could not be read, so this is a new one." : "";
}

/** Adds a source and designs with it. */
export async function addSource(making: Promise<Source>): Promise<void> {
  const source = await making;
  sources.value = [source, ...sources.value];
  change({ source });
}

/** Returns the request that creates a draft's pattern. */
export const patternFields = ({ source, design }: Draft) => ({ source_id: source?.id, ...design });

/** Resolves with the id of the draft's pattern, which is created unless it was. Rejects with `ApiError`. */
export async function savePattern(): Promise<number> {
  const json = patternFields(draft.value);
  const key = JSON.stringify(json);
  if (saved.value?.design === key) return saved.value.id;
  const { id } = await call<Pattern>("POST", "patterns", { token: tokenOf(), json, creates: true });
  saved.value = { design: key, id };
  return id;
}
