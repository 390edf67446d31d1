/**
 * The one page of the web app, and what a browser is told it may do there: our own scripts and nothing made of text (Trusted Types), styles of ours or
 * with the number of this very answer. Kept strict: whatever breaks on it is mended in the web app, not here.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';

/** Stands in web/index.html where the number of the answer goes. */
const NONCE = 'PARLEY_NONCE';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${NONCE}'`,
  `style-src-elem 'self' 'nonce-${NONCE}'`,
  // Positions and sizes computed by the page; they load nothing.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');

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

/** Null: the web app has not been built. */
export function pageOf(folder: string): ((reply: FastifyReply) => FastifyReply) | null {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return null;
  const html = readFileSync(file, 'utf8');
  return (reply) => {
    const nonce = randomBytes(16).toString('base64url');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', POLICY.replaceAll(NONCE, nonce))
      .header('permissions-policy', PERMISSIONS)
      .send(html.replaceAll(NONCE, nonce));
  };
}
