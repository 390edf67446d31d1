/**
 * Serves the web app's page with its content security policy: scripts only from this origin and none built from text
 * (Trusted Types), and styles only from this origin or with the response's nonce. If the web app breaks the policy, fix
 * the web app, not the policy.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';

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
type PageSettings = CardSettings & Partial<Pick<Config, 'MODE' | 'LEGAL_LINKS' | 'REVIEW_LINKS'>>;

/**
 * What the payment provider’s script may load: itself, its frames with the card form, and its API. The card form is in
 * a frame of the provider, so this page never sees a card number.
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

/** The configured links, for the web app to read before any request. */
function linksMeta(name: string, links: readonly ReviewLink[] = []): string {
  if (links.length === 0) return '';
  const content = JSON.stringify(links).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<meta name="${name}" content="${content}" />`;
}

/**
 * Returns a function that sends the page, or null if the web app is not built. Only `frame_origins` may show the page
 * in a frame.
 */
export function loadPage(
  folder: string,
  settings: PageSettings = NO_CARDS,
): ((reply: FastifyReply, frame_origins?: readonly string[]) => FastifyReply) | null {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return null;
  const metas = [
    linksMeta('legal-links', mergeLegalLinks(settings.LEGAL_LINKS)),
    linksMeta('review-links', settings.REVIEW_LINKS),
    scriptMeta(settings),
    settings.MODE === 'demo' ? '<meta name="demo" content="true" />' : '',
  ];
  const html = readFileSync(file, 'utf8').replace('</head>', () => `${metas.join('')}</head>`);
  const policy = cardPolicy(settings);
  return (reply, frame_origins) => {
    if (frame_origins) reply.removeHeader('x-frame-options');
    const framed = frame_origins
      ? policy.replace("frame-ancestors 'none'", `frame-ancestors ${frame_origins.join(' ')}`)
      : policy;
    const nonce = randomBytes(16).toString('base64url');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', framed.replaceAll(NONCE, nonce))
      .header('permissions-policy', PERMISSIONS)
      .send(html.replaceAll(NONCE, nonce));
  };
}
