/**
 * A brand's colors, derived from one color. The hue is kept, and the lightness is moved until every pair that the app
 * shows has a contrast of at least 4.5 (WCAG AA), in the light and dark themes.
 */
export interface Shades {
  /** Buttons, with white text. */
  accent: string;
  accent_hover: string;
  /** Links and selected entries on the page and on `accent_soft`. */
  accent_ink: string;
  accent_soft: string;
  accent_soft_hover: string;
}
export interface Palette {
  light: Shades;
  dark: Shades;
}

const MIN_CONTRAST = 4.5;
/** The lightest and the darkest background of text in the app's own palette. */
const LIGHT_PAGES = ['#ffffff', '#eeebe4'];
const DARK_PAGES = ['#121110', '#2c2a26'];

type Triple = [number, number, number];

const toChannels = (hex: string): Triple => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Triple;
const toHex = (channels: Triple): string =>
  `#${channels
    .map((value) =>
      Math.round(Math.min(255, Math.max(0, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

function luminance(hex: string): number {
  const [red, green, blue] = toChannels(hex).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Triple;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const mix = (from: string, to: string, share: number): string => {
  const target = toChannels(to);
  return toHex(toChannels(from).map((value, at) => value + (target[at]! - value) * share) as Triple);
};

/** Moves the color toward black or white, as little as possible. Black and white always reach the contrast. */
function reach(color: string, toward: string, backgrounds: readonly string[]): string {
  for (let step = 0; step <= 100; step += 1) {
    const candidate = mix(color, toward, step / 100);
    if (backgrounds.every((background) => contrast(candidate, background) >= MIN_CONTRAST)) return candidate;
  }
  return toward;
}

export function derivePalette(color: string): Palette {
  const base = color.toLowerCase();
  const accent = reach(base, '#000000', ['#ffffff']);
  const light_soft = mix(accent, '#ffffff', 0.91);
  const light_soft_hover = mix(accent, '#ffffff', 0.86);
  const dark_accent = reach(mix(accent, '#ffffff', 0.12), '#000000', ['#ffffff']);
  const dark_soft = mix(accent, '#161513', 0.75);
  const dark_soft_hover = mix(accent, '#161513', 0.68);
  return {
    light: {
      accent,
      accent_hover: mix(accent, '#000000', 0.15),
      accent_ink: reach(accent, '#000000', [...LIGHT_PAGES, light_soft, light_soft_hover]),
      accent_soft: light_soft,
      accent_soft_hover: light_soft_hover,
    },
    dark: {
      accent: dark_accent,
      accent_hover: mix(dark_accent, '#000000', 0.12),
      accent_ink: reach(base, '#ffffff', [...DARK_PAGES, dark_soft, dark_soft_hover]),
      accent_soft: dark_soft,
      accent_soft_hover: dark_soft_hover,
    },
  };
}
