/** Instructions for models, sent at `initialize`; below 2 kB. */
export const INSTRUCTIONS = `\
orbifold creates seamless patterns under the 17 wallpaper groups from any image, renders them, and certifies their symmetry. A source is an image; a pattern is a source under a group; renders are images of a pattern.

Common jobs:
- Pattern from an image on the web: create_pattern_from_url, then render_pattern_tile.
- From a base64 image: upload_source_from_base64, create_pattern, render_pattern_tile.
- From scratch: generate_preset, create_pattern, render_pattern_tile.
- Another look: update_pattern (with values from list_styles, list_palettes and list_effects), then render again. Do not create a new pattern for a small change.
- Wallpaper, fabric, poster: render_pattern_surface with the size in pixels (inches × dpi); list_surface_effects for paper, grain, vignette.
- Tiling that never repeats: render_aperiodic. Ribbon, border, mug: render_frieze. Mandala, plate, round sticker: render_rosette.
- Validation of the symmetry: validate_symmetry, also for the user's own images.
- Existing patterns: list_patterns, get_pattern.

Good groups to start with: p4m or p6m for kaleidoscopes, p4 or p6 for whirls, cm or pgg for fabric, p1 for a plain repeat.

Costs: create_pattern, create_pattern_from_url and generate_preset cost 1 credit each; everything else is free. A failed call costs nothing. On credits_exhausted stop and tell the user.

Images are returned small enough to look at: at most 1568 pixels on the longer side, compressed if necessary (see picture.is_preview). full.url is the image exactly as requested; it needs no key, works for a day (expires_in: up to 90) and always shows the pattern as it was then: give it to the user, and never copy the base64.

Limits: sources up to 50 megapixels and 32 MiB (12 MB as base64); tiles 16 to 8192 pixels; surfaces up to 20000 pixels a side and 400 megapixels; 120 calls a minute (600 on the agency plan).`;
