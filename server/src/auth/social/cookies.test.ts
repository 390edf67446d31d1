import { expect, test } from 'vitest';
import { cookieName, readCookie, setCookie } from './cookies.ts';

function cookieFor(PUBLIC_URL: string): string {
  const headers = new Map<string, unknown>();
  const reply = {
    getHeader: (name: string) => headers.get(name),
    header: (name: string, value: unknown) => headers.set(name, value),
  };
  const name = cookieName('parley-social-browser', { PUBLIC_URL });
  setCookie(reply as never, { name, value: 'x', seconds: 600, same_site: 'Strict' });
  return String(headers.get('set-cookie'));
}

test('a cookie is secure and bound to its host when the public URL uses HTTPS', () => {
  const attributes = 'Path=/; Max-Age=600; HttpOnly; SameSite=Strict';
  expect(cookieFor('https://p.example')).toBe(`__Host-parley-social-browser=x; ${attributes}; Secure`);
  expect(cookieFor('http://localhost:4000')).toBe(`parley-social-browser=x; ${attributes}`);
});

test('a cookie without the prefix is ignored when the public URL uses HTTPS', () => {
  const name = cookieName('parley-social-browser', { PUBLIC_URL: 'https://p.example' });
  expect(readCookie({ cookie: 'parley-social-browser=planted' }, name)).toBeNull();
  expect(readCookie({ cookie: 'a=1; __Host-parley-social-browser=own' }, name)).toBe('own');
});
