/** Jobs that people ask for often, as the protocol's prompts. */
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
  /** What the person says. Throws InvalidInput. */
  write(given: Readonly<Record<string, string>>): string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: "seamless_pattern_from_photo",
    title: "Seamless pattern of a photo",
    description: "Makes a seamless pattern of a picture on the web and shows it.",
    arguments: [
      { name: "url", description: "Public address of the picture.", required: true },
      {
        name: "group",
        description: "A wallpaper group such as p4 or p6m. Left out: p4m.",
        required: false,
      },
    ],
    write: ({ url, group = "p4m" }) => `\
Make a seamless pattern of the photo at ${url} under the wallpaper group ${readGroup(group)}.

1. Call create_pattern_from_url with that url and group. It costs 1 credit.
2. Call render_pattern_tile and look at the picture. If the motif is badly placed, move it with update_pattern (motif: x, y, scale, rotation) and render again; both are free.
3. Call render_pattern_surface once, so that I see it repeat.
4. Tell me in two sentences what you see and what symmetry was certified, and give me the full.url of the tile and of the sheet.`,
  },
  {
    name: "product_variations",
    title: "Three variations for a product",
    description: "Designs three different patterns for a product and compares them.",
    arguments: [
      { name: "product", description: "What it is for, e.g. a tote bag.", required: true },
      {
        name: "mood",
        description: "Colours, theme or feeling. Left out: whatever suits the product.",
        required: false,
      },
    ],
    write: ({ product, mood }) => `\
Design three variations of a pattern for this product: ${product}.${mood ? ` They should feel like this: ${mood}.` : ""}

1. Call list_patterns: if I have a pattern that suits, start from its source. If not, call generate_preset once (1 credit).
2. Call list_styles, list_palettes and list_groups, and choose three looks that differ in symmetry, scale and colour.
3. Call create_pattern three times (1 credit each) and give each a name.
4. Call render_pattern_surface for each, in the shape of the product, and look at the pictures. Mend with update_pattern what does not please, for free.
5. Show me the three with their names, what speaks for each, the credits spent and each full.url. Say which one you would print.`,
  },
  {
    name: "check_symmetry",
    title: "Check and mend a symmetry",
    description: "Checks that a pattern has the symmetry it claims and mends it where it has not.",
    arguments: [{ name: "pattern_id", description: "Number of the pattern.", required: true }],
    write: ({ pattern_id }) => `\
Check the symmetry of pattern ${readNumber(pattern_id)} and mend it if need be. Everything here is free.

1. Call get_pattern and validate_symmetry.
2. If the verdict is valid, say so and stop. more_symmetric: the picture has more symmetry than its group; set the group that was found with update_pattern, or make the motif less symmetric by moving, turning or enlarging it, whichever keeps the look. broken: look at failing and seam; try seam method blend or a wider seam. undecided: do what the summary says.
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
 * A prompt with its arguments filled in. Throws InvalidInput for a prompt that there is not and for
 * arguments that are missing, not known, or wrong.
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
