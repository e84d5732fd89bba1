/** What a model is told of the service before its first call; below 2 kB. */
export const INSTRUCTIONS = `\
orbifold makes seamless patterns under the 17 wallpaper groups from any picture, renders them, and certifies their symmetry. A source is a picture; a pattern is a source under a group; renders are pictures of a pattern.

Common jobs:
- Pattern of a picture on the web: create_pattern_from_url, then render_pattern_tile.
- Of a picture you hold: upload_source_from_base64, create_pattern, render_pattern_tile.
- From nothing: generate_preset, create_pattern, render_pattern_tile.
- Another look: update_pattern (list_styles, list_palettes and list_effects say what there is), then render again. Do not make a new pattern for a small change.
- Wallpaper, fabric, poster: render_pattern_surface with the size in pixels (inches × dpi); list_surface_effects for paper, grain, vignette.
- Tiling that never repeats: render_aperiodic.
- Is it really symmetric? validate_symmetry, also for a picture of the person's own.
- What is there already? list_patterns, get_pattern.

Groups for a start: p4m or p6m for kaleidoscopes, p4 or p6 for whirls, cm or pgg for fabric, p1 for a plain repeat.

Costs: create_pattern, create_pattern_from_url and generate_preset cost 1 credit each; all else is free. A call that fails costs nothing. On credits_exhausted stop and tell the person.

Pictures come back small enough to look at: at most 1568 pixels on the longer side, compressed where need be (picture.is_preview says so). full.url is the picture exactly as asked for; it needs no key, works for a day (expires_in: up to 90) and always shows the pattern as it was then: give it to people, and never copy the base64.

Limits: sources up to 50 megapixels and 32 MiB (12 MB as base64); tiles 16 to 8192 pixels; sheets up to 20000 pixels a side and 400 megapixels; 120 calls a minute (600 on the agency plan).`;
