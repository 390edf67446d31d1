/** Cookies only bind a provider sign-in to the browser that started it. They never authenticate requests. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../kernel/settings/config.ts';

/**
 * Over HTTPS, the prefix makes browsers refuse a cookie that is not secure or that another host sets, such as a
 * subdomain.
 */
export const cookieName = (name: string, { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string =>
  PUBLIC_URL.startsWith('https:') ? `__Host-${name}` : name;

export function readCookie(headers: FastifyRequest['headers'], name: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

interface Cookie {
  name: string;
  value: string;
  /** A value of 0 deletes the cookie. */
  seconds: number;
  same_site: 'Lax' | 'Strict';
}

export function setCookie(reply: FastifyReply, { name, value, seconds, same_site }: Cookie): void {
  const before = reply.getHeader('set-cookie');
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${same_site}${secure}`;
  const text = `${name}=${value}; ${attributes}`;
  reply.header('set-cookie', before === undefined ? [text] : [before, text].flat().map(String));
}
