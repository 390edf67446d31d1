/** Cookies only bind a provider sign-in to the browser that started it. They never authenticate requests. */
import type { FastifyReply, FastifyRequest } from 'fastify';

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
  path: string;
  /** A value of 0 deletes the cookie. */
  seconds: number;
  secure: boolean;
  same_site: 'Lax' | 'Strict';
}

export function setCookie(reply: FastifyReply, { name, value, path, seconds, secure, same_site }: Cookie): void {
  const before = reply.getHeader('set-cookie');
  const attributes = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${same_site}${secure ? '; Secure' : ''}`;
  const text = `${name}=${value}; ${attributes}`;
  reply.header('set-cookie', before === undefined ? [text] : [before, text].flat().map(String));
}
