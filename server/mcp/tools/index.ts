/** The tools in the order in which they are listed. */
import type { Tool } from "../tool.ts";
import { catalogueTools } from "./catalogues.ts";
import {
  createPatternFromUrlTool,
  createPatternTool,
  deletePatternTool,
  getPatternTool,
  listPatternsTool,
  updatePatternTool,
  validateSymmetry,
} from "./patterns.ts";
import {
  renderAperiodic,
  renderFrieze,
  renderPatternSurface,
  renderPatternTile,
  renderRosette,
} from "./renders.ts";
import { cleanupPresets, generatePreset, uploadSourceFromBase64 } from "./sources.ts";

export const TOOLS: readonly Tool[] = [
  ...catalogueTools,
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
  renderFrieze,
  renderRosette,
  validateSymmetry,
];
