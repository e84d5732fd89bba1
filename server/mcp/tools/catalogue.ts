/** The tools in the order in which they are listed. */
import type { Tool } from "../tool.ts";
import { cleanupPresets } from "./cleanup-presets.ts";
import { createPatternTool } from "./create-pattern.ts";
import { createPatternFromUrlTool } from "./create-pattern-from-url.ts";
import { deletePatternTool } from "./delete-pattern.ts";
import { generatePreset } from "./generate-preset.ts";
import { getPatternTool } from "./get-pattern.ts";
import { listEffectsTool } from "./list-effects.ts";
import { listGroupsTool } from "./list-groups.ts";
import { listPalettesTool } from "./list-palettes.ts";
import { listPatternsTool } from "./list-patterns.ts";
import { listStylesTool } from "./list-styles.ts";
import { listSurfaceEffectsTool } from "./list-surface-effects.ts";
import { renderAperiodic } from "./render-aperiodic.ts";
import { renderPatternSurface } from "./render-pattern-surface.ts";
import { renderPatternTile } from "./render-pattern-tile.ts";
import { updatePatternTool } from "./update-pattern.ts";
import { uploadSourceFromBase64 } from "./upload-source-from-base64.ts";
import { validateSymmetry } from "./validate-symmetry.ts";

export const TOOLS: readonly Tool[] = [
  listGroupsTool,
  listEffectsTool,
  listSurfaceEffectsTool,
  listPalettesTool,
  listStylesTool,
  uploadSourceFromBase64,
  createPatternTool,
  createPatternFromUrlTool,
  generatePreset,
  cleanupPresets,
  listPatternsTool,
  getPatternTool,
  updatePatternTool,
  deletePatternTool,
  renderPatternTile,
  renderPatternSurface,
  renderAperiodic,
  validateSymmetry,
];
