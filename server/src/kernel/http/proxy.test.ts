import { expect, it } from 'vitest';
import type { Log } from '../log.ts';
import { proxyWatch, unnamedProxy } from './proxy.ts';

const from = (remoteAddress: string, ip = remoteAddress, forwarded: string | undefined = '203.0.113.9') => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  ip,
  socket: { remoteAddress },
});
function collectWarnings() {
  const warnings: string[] = [];
  const warn = (...messages: unknown[]) => void warnings.push(String(messages.at(-1)));
  return { warnings, log: { warn } as unknown as Log };
}

it('a proxy is untrusted when it forwards an address and TRUST_PROXY does not name it', () => {
  expect(unnamedProxy(from('10.0.0.5'))).toBe('10.0.0.5');
  expect(unnamedProxy(from('::ffff:10.0.0.5'))).toBe('10.0.0.5');
  expect(unnamedProxy(from('10.0.0.5', '203.0.113.9'))).toBeNull();
  expect(unnamedProxy({ ...from('10.0.0.5'), headers: {} })).toBeNull();
});

it('the warning names the setting and is repeated at most once an hour', () => {
  const { warnings, log } = collectWarnings();
  let time = 0;
  const watch = proxyWatch(log, { TRUST_PROXY: false, PUBLIC_URL: 'http://localhost:4000' }, () => time);
  watch({ ...from('10.0.0.5'), headers: {} });
  expect(warnings).toEqual([]);
  for (let count = 0; count < 3; count++) watch(from('10.0.0.5'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('TRUST_PROXY=10.0.0.5');
  time += 3_600_001;
  watch(from('10.0.0.5'));
  expect(warnings).toHaveLength(2);
});

it('an HTTPS URL without TRUST_PROXY is reported at startup', () => {
  const start = (TRUST_PROXY: string | false, PUBLIC_URL: string) => {
    const { warnings, log } = collectWarnings();
    proxyWatch(log, { TRUST_PROXY, PUBLIC_URL });
    return warnings.length;
  };
  expect(start(false, 'https://messages.example.com')).toBe(1);
  expect(start('10.0.0.0/8', 'https://messages.example.com')).toBe(0);
  expect(start(false, 'http://localhost:4000')).toBe(0);
});
