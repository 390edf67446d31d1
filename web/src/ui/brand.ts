/**
 * The brand that the pages show: name, logo, and colors. The server writes the brand of the host into the page. A
 * signed-in user sees the brand of their account, which this browser keeps, so that a reload never shows another one.
 */
import { useSyncExternalStore } from 'react';

type Shades = Readonly<Record<'accent' | 'accent_hover' | 'accent_ink' | 'accent_soft' | 'accent_soft_hover', string>>;

/** `brand` of an account. */
interface ShownBrand {
  name: string;
  logo_url: string | null;
  logo_dark_url: string | null;
  palette: { light: Shades; dark: Shades } | null;
}

interface PageBrand extends ShownBrand {
  /** The brand's own domain, if the page was opened on it. */
  domain?: string | null;
  /** On that domain: the origin of the installation. */
  home?: string;
}

const KEY = 'parley.brand';
const APP: PageBrand = { name: 'Parley', logo_url: null, logo_dark_url: null, palette: null };

function parse(text: string | null | undefined): PageBrand | null {
  try {
    const value = JSON.parse(text ?? 'null') as PageBrand | null;
    return typeof value?.name === 'string' ? value : null;
  } catch {
    return null;
  }
}

// Some tests have no document.
const page = parse(globalThis.document?.querySelector<HTMLMetaElement>('meta[name=brand]')?.content) ?? APP;
let current = page;
const listeners = new Set<() => void>();

/** The page's style attribute already has the colors of the page's brand. */
function show(next: PageBrand): void {
  if (next === current) return;
  // Until a page sets its title, the browser tab has the name alone.
  if (document.title === current.name) document.title = next.name;
  current = next;
  const { style } = document.documentElement;
  for (const name of Array.from(style)) if (name.startsWith('--brand-')) style.removeProperty(name);
  for (const [scheme, shades] of Object.entries(next.palette ?? {}))
    for (const [name, color] of Object.entries(shades))
      if (/^#[0-9a-f]{6}$/.test(color)) style.setProperty(`--brand-${scheme}-${name.replaceAll('_', '-')}`, color);
  for (const listener of listeners) listener();
}

/** Before the account is loaded: the brand that the signed-in user saw last. */
export const restoreBrand = (): void => show(parse(localStorage.getItem(KEY)) ?? page);

/** Shows the account's brand; null after sign-out, for the brand of the page. */
export function showBrand(brand: ShownBrand | null): void {
  if (brand === null) {
    localStorage.removeItem(KEY);
    show(page);
    return;
  }
  const text = JSON.stringify(brand);
  if (text === JSON.stringify(current)) return;
  localStorage.setItem(KEY, text);
  show(brand);
}

export const readBrand = (): PageBrand => current;
export const brandName = (): string => current.name;
export const isAppBrand = ({ name, logo_url }: PageBrand): boolean => name === APP.name && logo_url === null;
/** True on the domain of an account's brand. Its users are invited, and sign-in providers lead to the installation. */
export const isOwnDomain = (): boolean => Boolean(page.domain);

export const installationOrigin = (): string | null => page.home ?? null;

export function useBrand(): PageBrand {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readBrand);
}

/** The icon of the browser tab, with an optional badge: the first letter of the name on the brand's color. */
export function brandIcon({ name, palette }: PageBrand): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '';
  return (
    `<rect width="32" height="32" rx="8" fill="${palette?.light.accent ?? '#3a36c8'}"/>` +
    '<text x="16" y="22.5" fill="#fff" font-family="system-ui,sans-serif" font-size="19" font-weight="700" ' +
    `text-anchor="middle">${letter}</text>`
  );
}
