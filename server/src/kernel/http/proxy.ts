/**
 * Detects a reverse proxy that TRUST_PROXY does not name. All requests through it seem to come from the proxy's
 * address, so per-address limits (for sign-ins, sign-ups, and codes) apply to all users together. Clients can also
 * forge the header, so the server only reports the proxy and changes nothing.
 */
import type { FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Config } from '../settings/config.ts';

type ProxyRequest = Pick<FastifyRequest, 'headers' | 'ip'> & { socket: { remoteAddress?: string | undefined } };

/** Returns the address of an untrusted proxy, or null if the request shows no sign of one. */
export function unnamedProxy({ headers, ip, socket }: ProxyRequest): string | null {
  const peer = socket.remoteAddress;
  if (headers['x-forwarded-for'] === undefined || !peer || ip !== peer) return null;
  return peer.replace(/^::ffff:(?=\d+\.)/, '');
}

export const PROXY_ADVICE =
  'All clients behind the proxy count as one IP address: they share the limits for sign-ins, sign-ups, and codes, ' +
  'and the logs do not show their IP addresses.';

const REPEAT_MS = 3_600_000;

/**
 * Warns at startup if PUBLIC_URL begins with https, which this server does not speak, and then once an hour if requests
 * show signs of a proxy.
 */
export function proxyWatch(
  log: Log,
  config: Pick<Config, 'TRUST_PROXY' | 'PUBLIC_URL'>,
  now = () => performance.now(),
) {
  if (config.TRUST_PROXY === false && config.PUBLIC_URL.startsWith('https:'))
    log.warn(
      `PUBLIC_URL begins with https, so there is a reverse proxy, but TRUST_PROXY does not list it. ${PROXY_ADVICE}`,
    );
  let warned_ms = Number.NEGATIVE_INFINITY;
  return (request: ProxyRequest): void => {
    const proxy = unnamedProxy(request);
    if (proxy === null || now() - warned_ms < REPEAT_MS) return;
    warned_ms = now();
    log.warn(
      { proxy },
      `X-Forwarded-For is ignored, because TRUST_PROXY does not list its sender. ${PROXY_ADVICE} ` +
        `If this is your proxy, set TRUST_PROXY=${proxy}`,
    );
  };
}
