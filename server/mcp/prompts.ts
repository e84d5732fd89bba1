/** MCP prompts for common tasks. */
import { InvalidInput } from "../actions/errors.ts";
import { readGroup } from "../actions/pattern-fields.ts";

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** Returns the user's message. Throws InvalidInput. */
  write(given: Readonly<Record<string, string>>): string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: "seamless_pattern_from_photo",
    title: "Seamless pattern from a photo",
    description: "Creates a seamless pattern from an image on the web and shows it.",
    arguments: [
      { name: "url", description: "Public URL of the image.", required: true },
      {
        name: "group",
        description: "A wallpaper group such as p4 or p6m. Default: p4m.",
        required: false,
      },
    ],
    write: ({ url, group = "p4m" }) => `\
Create a seamless pattern from the photo at ${url} under the wallpaper group ${readGroup(group)}.

1. Call create_pattern_from_url with that url and group. It costs 1 credit.
2. Call render_pattern_tile and look at the image. If the motif is badly placed, move it with update_pattern (motif: x, y, scale, rotation) and render again; both are free.
3. Call render_pattern_surface once, so that I can see it repeat.
4. Tell me in two sentences what you see and what symmetry was certified, and give me the full.url of the tile and of the surface.`,
  },
  {
    name: "product_variations",
    title: "Three variations for a product",
    description: "Designs three different patterns for a product and compares them.",
    arguments: [
      { name: "product", description: "The product, e.g. a tote bag.", required: true },
      {
        name: "mood",
        description: "Colours, theme or mood. Default: what suits the product.",
        required: false,
      },
    ],
    write: ({ product, mood }) => `\
Design three variations of a pattern for this product: ${product}.${mood ? ` They should feel like this: ${mood}.` : ""}

1. Call list_patterns: if I have a pattern that suits, start from its source. If not, call generate_preset once (1 credit).
2. Call list_styles, list_palettes and list_groups, and choose three looks that differ in symmetry, scale and colour.
3. Call create_pattern three times (1 credit each) and give each a name.
4. Call render_pattern_surface for each, in the shape of the product, and look at the images. Improve them with update_pattern, for free.
5. Show me the three with their names, the strengths of each, the credits spent and each full.url. Say which one you would print.`,
  },
  {
    name: "check_symmetry",
    title: "Validate and fix a symmetry",
    description: "Validates the symmetry of a pattern and fixes it if necessary.",
    arguments: [{ name: "pattern_id", description: "Id of the pattern.", required: true }],
    write: ({ pattern_id }) => `\
Check the symmetry of pattern ${readNumber(pattern_id)} and fix it if necessary. Everything here is free.

1. Call get_pattern and validate_symmetry.
2. If the verdict is valid, say so and stop. more_symmetric: the image has more symmetry than its group; set the group that was found with update_pattern, or make the motif less symmetric by moving, rotating or enlarging it, whichever preserves the look. broken: look at failing and seam; try seam method blend or a wider seam. undecided: follow the summary.
3. After each change call validate_symmetry again, three times at most, then render_pattern_tile.
4. Tell me what was wrong, what you changed, and the verdict now.`,
  },
];

/** The prompts without their texts. */
export function listPrompts() {
  return PROMPTS.map(({ name, title, description, arguments: taken }) => ({
    name,
    title,
    description,
    arguments: taken.map((one) => ({ ...one })),
  }));
}

/**
 * Returns a prompt with its arguments filled in. Throws InvalidInput for an unknown prompt and for
 * missing, unknown or invalid arguments.
 */
export function getPrompt(name: string, given: Readonly<Record<string, string>>) {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) {
    throw issue("name", `one of ${PROMPTS.map((one) => one.name).join(", ")}`, name);
  }
  const known = prompt.arguments.map((argument) => argument.name);
  for (const argument of Object.keys(given)) {
    if (!known.includes(argument)) throw issue(argument, `one of ${known.join(", ")}`);
  }
  for (const { name, description, required } of prompt.arguments) {
    if (required && !given[name]?.trim()) throw issue(name, description);
  }
  const text = prompt.write(given);
  return {
    description: prompt.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}

function readNumber(text: string | undefined): number {
  if (!/^[1-9]\d{0,14}$/.test(text ?? "")) throw issue("pattern_id", "a number: 1, 2, 3, …", text);
  return Number(text);
}

function issue(name: string, expected: string, given?: string): InvalidInput {
  const received = given === undefined ? "nothing" : JSON.stringify(given.slice(0, 60));
  const message = `expected ${expected}, got ${received}`;
  return new InvalidInput([{ path: `/${name}`, message, expected, received }]);
}
