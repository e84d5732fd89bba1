/** The scenes of all products, by their ids. */
import { cushion } from "./products/cushion.ts";
import { dressFabric } from "./products/dress-fabric.ts";
import { framedPoster } from "./products/framed-poster.ts";
import { mug } from "./products/mug.ts";
import { notebook } from "./products/notebook.ts";
import { phoneCase } from "./products/phone-case.ts";
import { tShirt } from "./products/t-shirt.ts";
import { toteBag } from "./products/tote-bag.ts";
import { wallpaper } from "./products/wallpaper.ts";
import { wrappingPaper } from "./products/wrapping-paper.ts";
import type { SceneMaker } from "./scene.ts";

export const scenes: Readonly<Record<string, SceneMaker>> = {
  mug,
  "phone-case": phoneCase,
  notebook,
  "framed-poster": framedPoster,
  wallpaper,
  "wrapping-paper": wrappingPaper,
  "t-shirt": tShirt,
  "tote-bag": toteBag,
  cushion,
  "dress-fabric": dressFabric,
};
