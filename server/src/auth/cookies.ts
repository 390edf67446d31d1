/** The few cookies there are: never for knowing who calls, only for binding a sign-in at a provider to the browser that began it. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export function readCookie(headers: FastifyRequest['headers'], name: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

export interface Cookie {
  name: string;
  value: string;
  path: string;
  /** 0 takes it away. */
  seconds: number;
  secure: boolean;
  same_site: 'Lax' | 'Strict';
}

export function setCookie(reply: FastifyReply, { name, value, path, seconds, secure, same_site }: Cookie): void {
  const before = reply.getHeader('set-cookie');
  const text = `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${same_site}${secure ? '; Secure' : ''}`;
  reply.header('set-cookie', before === undefined ? [text] : [before, text].flat().map(String));
}
