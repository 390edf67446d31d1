import { expect, it } from 'vitest';
import type { Log } from '../log.ts';
import { proxyWatch, unnamedProxy } from './proxy.ts';

const from = (remoteAddress: string, ip = remoteAddress, forwarded: string | undefined = '203.0.113.9') => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  ip,
  socket: { remoteAddress },
});
function lines() {
  const said: string[] = [];
  const warn = (...words: unknown[]) => void said.push(String(words.at(-1)));
  return { said, log: { warn } as unknown as Log };
}

it('a proxy is untrusted if it forwards an address and TRUST_PROXY does not name it', () => {
  expect(unnamedProxy(from('10.0.0.5'))).toBe('10.0.0.5');
  expect(unnamedProxy(from('::ffff:10.0.0.5'))).toBe('10.0.0.5');
  expect(unnamedProxy(from('10.0.0.5', '203.0.113.9'))).toBeNull();
  expect(unnamedProxy({ ...from('10.0.0.5'), headers: {} })).toBeNull();
});

it('the warning names the setting and is repeated once an hour', () => {
  const { said, log } = lines();
  let time = 0;
  const seen = proxyWatch(log, { TRUST_PROXY: false, PUBLIC_URL: 'http://localhost:4000' }, () => time);
  seen({ ...from('10.0.0.5'), headers: {} });
  expect(said).toEqual([]);
  for (let count = 0; count < 3; count++) seen(from('10.0.0.5'));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('TRUST_PROXY=10.0.0.5');
  time += 3_600_001;
  seen(from('10.0.0.5'));
  expect(said).toHaveLength(2);
});

it('an https address without TRUST_PROXY is reported at the start', () => {
  const start = (TRUST_PROXY: string | false, PUBLIC_URL: string) => {
    const { said, log } = lines();
    proxyWatch(log, { TRUST_PROXY, PUBLIC_URL });
    return said.length;
  };
  expect(start(false, 'https://messages.example.com')).toBe(1);
  expect(start('10.0.0.0/8', 'https://messages.example.com')).toBe(0);
  expect(start(false, 'http://localhost:4000')).toBe(0);
});
