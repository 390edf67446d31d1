/** The headers that restrict what browsers do with a response. The web app's page and files have their own policies. */
import type { Config } from '../settings/config.ts';

const HSTS_SECONDS = 365 * 86_400;

/** API responses are data: if a browser shows one as a page, the page may load nothing. */
export const API_POLICY = {
  'default-src': ["'none'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** Browsers ignore this policy over HTTP. */
export const transportSecurity = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) =>
  PUBLIC_URL.startsWith('https:') && { maxAge: HSTS_SECONDS, includeSubDomains: true };

/**
 * The header for a request. On the domain of an account, it must not concern the other hosts below that domain, which
 * belong to the account.
 */
export function strictTransport(config: Pick<Config, 'PUBLIC_URL' | 'ADMIN_URL'>, hostname: string): string | null {
  if (!transportSecurity(config)) return null;
  const isOwn = [config.PUBLIC_URL, config.ADMIN_URL].some((url) => new URL(url).hostname === hostname);
  return `max-age=${HSTS_SECONDS}${isOwn ? '; includeSubDomains' : ''}`;
}

/** The same headers for responses that only programs read, and for requests that the framework could not read. */
export function refusalHeaders(config: Pick<Config, 'PUBLIC_URL'>): Record<string, string> {
  const policy = Object.entries(API_POLICY).map(([name, sources]) => `${name} ${sources.join(' ')}`);
  const secure = transportSecurity(config);
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy.join(';'),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(secure && { 'strict-transport-security': `max-age=${secure.maxAge}; includeSubDomains` }),
  };
}
