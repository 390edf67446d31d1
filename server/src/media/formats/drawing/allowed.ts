/**
 * The elements, attributes, and style properties that a stored drawing can contain. Anything else is dropped.
 * Animations are missing on purpose, because they can change a checked attribute later.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const ELEMENTS = words(`
  svg g defs symbol use switch title desc style a
  path rect circle ellipse line polyline polygon image
  text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`);

/** Elements that run code or contain other documents. A drawing with one of them is refused. */
export const ACTIVE_ELEMENTS = words(
  'script foreignobject iframe object embed audio video canvas handler listener link html body meta base form',
);

/** Properties that are valid both as attributes and in style sheets. */
export const PROPERTIES = words(`
  alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters
  direction display dominant-baseline enable-background fill fill-opacity fill-rule filter flood-color flood-opacity
  font font-family font-size font-size-adjust font-stretch font-style font-variant font-weight image-rendering isolation
  letter-spacing lighting-color line-height marker marker-end marker-mid marker-start mask mask-type mix-blend-mode
  opacity overflow paint-order pointer-events shape-rendering stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align
  text-anchor text-decoration text-rendering text-transform transform transform-origin unicode-bidi vector-effect
  visibility white-space word-spacing writing-mode`);

export const ATTRIBUTES = words(`
  id class version width height viewBox preserveAspectRatio zoomAndPan
  x y x1 y1 x2 y2 dx dy rx ry cx cy r fx fy fr d points pathLength rotate textLength lengthAdjust startOffset method
  spacing side
  gradientUnits gradientTransform spreadMethod offset patternUnits patternContentUnits patternTransform
  clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result mode type values tableValues slope intercept amplitude exponent operator
  k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale
  diffuseConstant specularConstant specularExponent limitingConeAngle azimuth elevation z pointsAtX pointsAtY
  pointsAtZ scale xChannelSelector yChannelSelector stdDeviation radius baseFrequency numOctaves seed stitchTiles
  requiredFeatures systemLanguage`);
