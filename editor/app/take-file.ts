/** Files that are chosen, dropped or pasted. */
import { t } from "../shared/messages.ts";
import { change } from "./history.ts";
import { offerDesign } from "./offered-design.tsx";
import { recipeOf } from "./png-recipe.ts";
import { addFile } from "./upload.ts";
import { view } from "./views.tsx";
import { attempt, sources, status } from "./workspace.ts";

/** Designs with a file; asks first where it is a PNG that has a design in it. */
export async function takeFile(file: File): Promise<void> {
  const upload = () => attempt(t("status.uploading"), () => addFile(file), file.name);
  // Cameras and files of other systems may have no type.
  if (file.type !== "" && !file.type.startsWith("image/")) {
    status.value = t("problem.notPicture");
    return;
  }
  const found = await recipeOf(file);
  if (found === null) return upload();
  const { recipe, mode, sha256 } = found;
  const source = sources.value.find((one) => one.sha256 === sha256);
  offerDesign({
    title: t("offer.inPicture"),
    text: t(source ? "offer.ofYours" : "offer.ofAnother"),
    use() {
      change({ ...recipe, ...(source && { source }) });
      view.value = mode === "tile" || mode === "aperiodic" ? mode : "sheet";
    },
    other: { name: t("offer.asPicture"), act: () => void upload() },
  });
}
