/** The headers that restrict what browsers do with a response. The web app's page and files have their own policies. */
import type { Config } from '../settings/config.ts';

const HSTS_SECONDS = 365 * 86_400;

/** API responses are data: if a browser shows one as a page, the page may load nothing. */
const API_POLICY = ['default-src', 'object-src', 'base-uri', 'form-action', 'frame-ancestors']
  .map((name) => `${name} 'none'`)
  .join(';');

/** Browsers ignore this policy over HTTP. */
export const transportSecurity = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean =>
  PUBLIC_URL.startsWith('https:');

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
  return {
    'cache-control': 'no-store',
    'content-security-policy': API_POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(transportSecurity(config) && { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` }),
  };
}

/** The headers of a response that a browser may read. They are the same for all requests, so they are built once. */
export const browserHeaders = (config: Pick<Config, 'PUBLIC_URL'>): Record<string, string> => {
  const { 'cache-control': _, ...headers } = refusalHeaders(config);
  return {
    ...headers,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // Turns off the filters of old browsers, which can be used to hide parts of a page.
    'x-xss-protection': '0',
  };
};
