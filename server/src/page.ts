/**
 * Serves the web app's page with its content security policy: scripts only from this origin and none built from text
 * (Trusted Types), and styles only from this origin or with the response's nonce. If the web app breaks the policy, fix
 * the web app, not the policy.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';

import { type Brand, DEFAULT_BRAND, INSTALLATION, imagePath, shownBrand } from './kernel/brand/brand.ts';
import type { Config } from './kernel/settings/config.ts';
import type { ReviewLink } from './kernel/settings/setting_kinds.ts';

/** Placeholder for the response's nonce in web/index.html. */
const NONCE = 'PARLEY_NONCE';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${NONCE}'`,
  `style-src-elem 'self' 'nonce-${NONCE}'`,
  // Allowed because the page sets computed positions and sizes in style attributes, which load nothing.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');

type CardSettings = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_SCRIPT_URL' | 'STRIPE_API_URL'>;
type PageSettings = CardSettings & Partial<Pick<Config, 'MODE' | 'LEGAL_LINKS' | 'REVIEW_LINKS' | 'PUBLIC_URL'>>;

/**
 * The sources that the payment provider’s script may load: itself, its frames with the card form, and its API. The card
 * form is in a frame of the provider, so this page never sees a card number.
 */
function cardPolicy({ STRIPE_SECRET_KEY, STRIPE_SCRIPT_URL, STRIPE_API_URL }: CardSettings): string {
  if (STRIPE_SECRET_KEY === null) return POLICY;
  const script = new URL(STRIPE_SCRIPT_URL).origin;
  const api = new URL(STRIPE_API_URL).origin;
  const own = script === 'https://js.stripe.com' ? ' https://*.js.stripe.com' : '';
  const frames = own ? `${own} https://hooks.stripe.com` : '';
  return POLICY.replace("script-src 'self'", `script-src 'self' ${script}${own}`).replace(
    "connect-src 'self'",
    `connect-src 'self' ${api}; frame-src ${script}${frames}`,
  );
}

/** States which script the web app may load. */
const scriptMeta = ({ STRIPE_SECRET_KEY, STRIPE_SCRIPT_URL }: CardSettings): string =>
  STRIPE_SECRET_KEY === null
    ? ''
    : `<meta name="payment-script" content="${STRIPE_SCRIPT_URL.replaceAll('&', '&amp;')}" />`;

const NO_CARDS: CardSettings = { STRIPE_SECRET_KEY: null, STRIPE_SCRIPT_URL: '', STRIPE_API_URL: '' };

const PERMISSIONS = [
  ...[
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'magnetometer',
    'microphone',
    'midi',
    'usb',
  ].map((name) => `${name}=()`),
  ...['fullscreen', 'payment', 'publickey-credentials-create', 'publickey-credentials-get'].map(
    (name) => `${name}=(self)`,
  ),
].join(', ');

/** The built-in documents. The operator’s documents with the same names replace them. */
const LEGAL_LINKS: readonly ReviewLink[] = ['Privacy policy', 'Terms of service', 'Anti-spam policy'].map((label) => ({
  label,
  href: `/legal/${label.toLowerCase().replaceAll(' ', '-')}`,
}));

function mergeLegalLinks(own: readonly ReviewLink[] = []): readonly ReviewLink[] {
  if (own.length === 0) return [];
  const isBuiltIn = ({ label }: ReviewLink) => LEGAL_LINKS.some((link) => link.label === label);
  return [
    ...LEGAL_LINKS.map((link) => own.find(({ label }) => label === link.label) ?? link),
    ...own.filter((link) => !isBuiltIn(link)),
  ];
}

const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Data for the web app to read before any request. */
const dataMeta = (name: string, data: object): string =>
  `<meta name="${name}" content="${escapeText(JSON.stringify(data))}" />`;

/** The configured links. */
const linksMeta = (name: string, links: readonly ReviewLink[] = []): string =>
  links.length === 0 ? '' : dataMeta(name, links);

/** The review pages of the installation: those of its brand, and those of the settings. Other brands have none. */
const reviewLinks = (settings: PageSettings, brand: Brand): readonly (ReviewLink & { image?: string })[] => [
  ...ownReviews(brand),
  ...(brand.account_id === INSTALLATION ? (settings.REVIEW_LINKS ?? []) : []),
];
const ownReviews = ({ reviews }: Brand) =>
  reviews.map(({ label, href, image_id }) => ({ label, href, ...(image_id ? { image: imagePath(image_id) } : {}) }));

/** The custom properties of a palette. Its values are colors that the server derived, never text of a user. */
const paletteStyle = ({ palette }: Brand): string =>
  palette
    ? Object.entries(palette)
        .flatMap(([scheme, shades]) =>
          Object.entries(shades).map(([name, color]) => `--brand-${scheme}-${name.replaceAll('_', '-')}:${color}`),
        )
        .join(';')
    : '';

/** Writes the brand into the page, so that it never shows another name while it loads. */
function brandPage(html: string, brand: Brand, { PUBLIC_URL }: PageSettings): string {
  if (brand === DEFAULT_BRAND) return html;
  const name = escapeText(brand.name);
  const style = paletteStyle(brand);
  const home = brand.domain && PUBLIC_URL ? { domain: brand.domain, home: new URL(PUBLIC_URL).origin } : {};
  const data = { ...shownBrand(brand), ...home };
  return html
    .replace('<html lang="en">', () => `<html lang="en"${style && ` style="${style}"`}>`)
    .replace('<title>Parley</title>', () => `<title>${name}</title>`)
    .replace('content="Parley: ', () => `content="${name}: `)
    .replace('<noscript>Parley needs', () => `<noscript>${name} needs`)
    .replace('href="/app.webmanifest"', 'href="/brand/app.webmanifest"')
    .replace('href="/favicon.svg"', 'href="/brand/icon.svg"')
    .replace('<link rel="apple-touch-icon" href="/icon-192.png" />', '')
    .replace('</head>', () => `${dataMeta('brand', data)}</head>`);
}

/**
 * Returns a function that sends the page, or null if the web app is not built. Only `frame_origins` may show the page
 * in a frame.
 */
export function loadPage(
  folder: string,
  settings: PageSettings = NO_CARDS,
): ((reply: FastifyReply, brand?: Brand, frame_origins?: readonly string[]) => FastifyReply) | null {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return null;
  const metas = [
    linksMeta('legal-links', mergeLegalLinks(settings.LEGAL_LINKS)),
    scriptMeta(settings),
    settings.MODE === 'demo' ? '<meta name="demo" content="true" />' : '',
  ];
  const html = readFileSync(file, 'utf8').replace('</head>', () => `${metas.join('')}</head>`);
  const policy = cardPolicy(settings);
  return (reply, brand = DEFAULT_BRAND, frame_origins) => {
    if (frame_origins) reply.removeHeader('x-frame-options');
    const framed = frame_origins
      ? policy.replace("frame-ancestors 'none'", `frame-ancestors ${frame_origins.join(' ')}`)
      : policy;
    const nonce = randomBytes(16).toString('base64url');
    const reviews = linksMeta('review-links', reviewLinks(settings, brand));
    // The texts of the brand come last, so that they cannot contain the nonce.
    const page = brandPage(html.replaceAll(NONCE, nonce), brand, settings).replace(
      '</head>',
      () => `${reviews}</head>`,
    );
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', framed.replaceAll(NONCE, nonce))
      .header('permissions-policy', PERMISSIONS)
      .send(page);
  };
}
