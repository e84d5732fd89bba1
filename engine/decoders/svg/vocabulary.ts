/**
 * Allowed SVG: the elements, attributes and CSS properties of static drawings that librsvg supports.
 * Everything else is dropped: editors' metadata, scripts, animations, links, foreign content. Filters
 * are refused instead, because a drawing looks different without them.
 */

export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
export const XLINK_NAMESPACE = "http://www.w3.org/1999/xlink";
export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const ELEMENTS = words(`
  a circle clipPath defs ellipse g image line linearGradient marker mask path pattern polygon polyline
  radialGradient rect stop style svg switch symbol text textPath tspan use`);

/** Elements whose text content is kept. */
export const TEXT_ELEMENTS = words("a style text textPath tspan");

/** Attributes without a namespace other than CSS properties; `href` and `style` are handled separately. */
export const ATTRIBUTES = words(`
  class clipPathUnits d dx dy fr fx fy gradientTransform gradientUnits id lengthAdjust markerHeight
  markerUnits markerWidth maskContentUnits maskUnits offset orient path pathLength patternContentUnits
  patternTransform patternUnits points preserveAspectRatio refX refY requiredExtensions
  requiredFeatures rotate side spreadMethod startOffset systemLanguage textLength transform version
  viewBox x1 x2 y1 y2`);

/** CSS properties, as attributes and in styles. */
export const PROPERTIES = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation cx cy direction display
  dominant-baseline fill fill-opacity fill-rule font font-family font-size font-size-adjust font-stretch
  font-style font-variant font-weight height image-rendering isolation letter-spacing line-height marker
  marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order r
  rx ry shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
  text-orientation text-rendering transform transform-box transform-origin unicode-bidi vector-effect
  visibility white-space width word-spacing writing-mode x y`);

/** CSS functions allowed in values. */
export const FUNCTIONS = words(`
  hsl hsla hwb lab lch matrix oklab oklch rgb rgba rotate scale scalex scaley skew skewx skewy translate
  translatex translatey`);
