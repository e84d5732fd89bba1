/** Files that are chosen, dropped or pasted. */
import { change } from "./history.ts";
import { offerDesign } from "./offered-design.tsx";
import { recipeOf } from "./png-recipe.ts";
import { addFile } from "./upload.ts";
import { view } from "./views.tsx";
import { attempt, sources, status } from "./workspace.ts";

/** Designs with a file; asks first where it is a PNG that has a design in it. */
export async function takeFile(file: File): Promise<void> {
  const upload = () => attempt("Uploading your picture …", () => addFile(file));
  // Cameras and files of other systems may have no type.
  if (file.type !== "" && !file.type.startsWith("image/")) {
    status.value = "This file is not a picture.";
    return;
  }
  const found = await recipeOf(file);
  if (found === null) return upload();
  const { recipe, mode, sha256 } = found;
  const source = sources.value.find((one) => one.sha256 === sha256);
  offerDesign({
    title: "There is a design in this picture",
    text: source
      ? "It was made here, of one of your pictures."
      : "It was made with orbifold, of a picture that is not here. Its design works with any picture.",
    use() {
      change({ ...recipe, ...(source && { source }) });
      view.value = mode === "surface" ? "sheet" : mode;
    },
    other: { name: "Use it as a picture", act: () => void upload() },
  });
}
