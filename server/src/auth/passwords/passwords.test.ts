import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '@parley/contract/problem.ts';
import { describe, expect, it } from 'vitest';
import { addressNetwork } from '../../kernel/http/network.ts';
import { maskPhone, readPhone } from '../../verify/phone.ts';
import { describeDevice } from '../people/device.ts';
import { isLeaked } from './leaked_passwords.ts';
import { hashPassword, isOutdated, rejectWeakPassword, verifyPassword } from './passwords.ts';

const isRefused = (password: string, surroundings: string[] = []): boolean => {
  try {
    rejectWeakPassword(password, surroundings);
    return false;
  } catch (error) {
    return (error as Problem).name === 'PASSWORD_TOO_COMMON';
  }
};

it('a password matches whether its accented letters are composed or decomposed', async () => {
  const [composed, decomposed] = ['Caf\u00e9-lantern-42', 'Cafe\u0301-lantern-42'];
  expect(await verifyPassword(await hashPassword(composed), decomposed)).toBe(true);
  expect(await verifyPassword(await hashPassword(decomposed), composed)).toBe(true);
  expect(await verifyPassword(await hashPassword(composed), 'Cafe-lantern-42')).toBe(false);
});

describe('the password check', () => {
  it.each([
    'Password1',
    'P@ssw0rd!',
    'pASSWORD2024',
    'Qwerty123',
    '1q2w3e4R',
    'Welcome2026!',
    'Summer-2025',
    'Dragondragon1',
    'Iloveyou7',
    'Abcd1234',
    'A1234567890',
    'Aaaaaaa1',
    'ABCabc123',
    '!!Monkey99!!',
    'Zaq12wsX',
    'Parley2026',
    'Liverpool1892',
    'Vinogradov-1',
    '2Sacoremsg2',
    'Boy1cool23',
    'KA12rm12',
  ])('rejects %s', (password) => expect(isRefused(password)).toBe(true));

  it.each([
    ['Quillfeather9', ['dana@x', 'Quillfeather Ltd']],
    ['Dana.quill1', ['dana.quill']],
    ['Harbourcoffee1', ['Harbour Coffee']],
    ['xHarbour1x', ['Harbour Coffee']],
  ])('rejects %s because it contains the name of the person or company', (password, surroundings) =>
    expect(isRefused(password, surroundings)).toBe(true),
  );

  it.each([
    ['Tangled-teapot-7', []],
    ['correct Horse 4 staples', []],
    ['Vh7#kQ2!xz', []],
    ['Übergrößenträger1', []],
    ['日本語のパスワード1A', []],
    ['🦊🦊Fox-hole-33', []],
    ['Parley-demo-1', ['owner', 'Harbour Coffee']],
    ['My-own-words-4-you', ['my', 'Own AG']],
  ])('accepts %s', (password, surroundings) => expect(isRefused(password, surroundings)).toBe(false));
});

it('the leaked-password lookup finds every listed password and no others', () => {
  const lines = readFileSync(new URL('./leaked_passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const words = lines.filter((line) => !line.startsWith('#'));
  expect(words.filter((word) => [...word].length >= 8).length).toBeGreaterThan(10_000);
  expect(words.filter((word) => !isLeaked(word))).toEqual([]);
  expect(words.filter((word) => isLeaked(`${word}~`) || isLeaked(`${word.slice(0, -1)}~`))).toEqual([]);
  for (const word of ['', '0', '~', 'ÿ', 'tangledteapot']) expect(isLeaked(word), word).toBe(false);
});

it('password verification returns false for a missing or malformed hash', async () => {
  const stored = await hashPassword('Tangled-teapot-7');
  expect(isOutdated(stored)).toBe(false);
  expect(await verifyPassword(stored, 'Tangled-teapot-7')).toBe(true);
  expect(await verifyPassword(stored, 'tangled-teapot-7')).toBe(false);
  expect(await verifyPassword(null, 'Tangled-teapot-7')).toBe(false);
  expect(await verifyPassword('$argon2id$none', 'Tangled-teapot-7')).toBe(false);
});

describe('the cost of a password hash', () => {
  it('is the recommended cost in a server, even if the environment is that of a test', () => {
    const script = `const { hashPassword } = await import('./passwords.ts');
      console.log(await hashPassword('Tangled-teapot-7'));`;
    const stored = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      env: { ...process.env, NODE_ENV: 'test', VITEST: 'true', MODE: 'test' },
      encoding: 'utf8',
    });
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is lowered only by the helper that starts a Parley for a test file', () => {
    const source = fileURLToPath(new URL('../../', import.meta.url));
    const callers = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && /hashCheaplyInTests\(\);/.test(readFileSync(join(source, path), 'utf8')),
    );
    expect(callers).toEqual(['test/world.ts']);
  });
});

it('a user agent is described by its browser and operating system', () => {
  const mozilla = 'Mozilla/5.0';
  expect(describeDevice(`${mozilla} (Windows NT 10.0; Win64; x64) Chrome/156.0 Safari/537.36`)).toBe(
    'Chrome on Windows',
  );
  expect(describeDevice(`${mozilla} (Windows NT 10.0) Chrome/156.0 Safari/537.36 Edg/156.0`)).toBe('Edge on Windows');
  expect(describeDevice(`${mozilla} (Macintosh; Intel Mac OS X 15_1) Version/19.0 Safari/605.1.15`)).toBe(
    'Safari on Mac',
  );
  expect(describeDevice(`${mozilla} (Linux; Android 16; Pixel) Chrome/156.0 Mobile Safari/537.36`)).toBe(
    'Chrome on Android',
  );
  expect(describeDevice(`${mozilla} (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0`)).toBe(
    'Firefox on Linux',
  );
  expect(describeDevice('curl/8.5.0')).toBe('curl');
  expect(describeDevice('')).toBe('Unknown device');
});

it('a network is a /24 block for IPv4 and a /64 block for IPv6', () => {
  expect(addressNetwork('192.0.2.77')).toBe('192.0.2.0/24');
  expect(addressNetwork('::ffff:192.0.2.77')).toBe('192.0.2.0/24');
  expect(addressNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
});

it('a phone number is parsed from any common format and masked for display', () => {
  expect(readPhone('07400 123456', 'GB')).toBe('447400123456');
  expect(readPhone('+49 (0)176 04069077', 'GB')).toBe('4917604069077');
  expect(readPhone('0044 7400 123456', 'DE')).toBe('447400123456');
  expect(readPhone('447400123456', 'GB')).toBe('447400123456');
  for (const text of ['', 'abc', '12345', '+1 900 555 0199', '+44 7400 123456 x5', '+800 1234 5678'])
    expect(() => readPhone(text, 'GB'), text).toThrow(Problem);
  expect(maskPhone('447400123456')).toBe('+44******3456');
});
