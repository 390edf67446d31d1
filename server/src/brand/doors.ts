/**
 * The public files of brands: logos, the icon, and the web app manifest. The icon and the manifest belong to the host
 * of the request. Images cannot run anything in our origin.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance } from 'fastify';
import { type Brand, readHostBrand, requestHost } from '../kernel/brand/brand.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { findImage } from './queries.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const ACCENT = '#3a36c8';

export function brandDoors(http: FastifyInstance, kernel: Kernel): void {
  const brandFor = (hostname: string) => readHostBrand(kernel.db, kernel.config, requestHost(hostname));
  http.get<{ Params: { id: string } }>('/brand/images/:id', async (request, reply) => {
    const image = UUID.test(request.params.id) ? await findImage(kernel.db, request.params.id) : null;
    if (!image) throw new Problem('BRAND_IMAGE_NOT_FOUND');
    return (
      reply
        .type(image.content_type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', POLICY)
        .header('x-content-type-options', 'nosniff')
        // Emails show the logo.
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(image.bytes)
    );
  });
  http.get('/brand/icon.svg', async (request, reply) =>
    reply
      .type('image/svg+xml')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', POLICY)
      .send(iconFor(await brandFor(request.hostname))),
  );
  http.get('/brand/app.webmanifest', async (request, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifestFor(await brandFor(request.hostname)))),
  );
}

const accent = ({ palette }: Brand): string => palette?.light.accent ?? ACCENT;

/** The first letter of the name on the brand's color. */
function iconFor(brand: Brand): string {
  const [letter = ''] = brand.name.match(/[\p{L}\p{N}]/u) ?? [];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" ` +
    `fill="${accent(brand)}"/><text x="16" y="22.5" fill="#fff" font-family="system-ui,sans-serif" font-size="19" ` +
    `font-weight="700" text-anchor="middle">${letter.toUpperCase()}</text></svg>`
  );
}

const manifestFor = (brand: Brand) => ({
  name: brand.name,
  short_name: brand.name,
  description: 'Send, receive and manage SMS, WhatsApp and Viber messages.',
  ...{ id: '/', start_url: '/', scope: '/', display: 'standalone' },
  background_color: '#faf9f7',
  theme_color: accent(brand),
  icons: [{ src: '/brand/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
});
