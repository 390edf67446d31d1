import { expect, test } from 'vitest';
import { createSeals, isSealed } from './seal.ts';

const secret = 'a'.repeat(64);
const place = { table: 'logins', row: '1' };

test('a sealed value opens only in its own row and looks different each time it is sealed', () => {
  const seals = createSeals(secret);
  const sealed = seals.seal('JBSWY3DPEHPK3PXP é', place);
  expect(isSealed(sealed)).toBe(true);
  expect(sealed).not.toContain('JBSWY');
  expect(seals.seal('JBSWY3DPEHPK3PXP é', place)).not.toBe(sealed);
  expect(createSeals(secret).open(sealed, place)).toBe('JBSWY3DPEHPK3PXP é');
  expect(() => seals.open(sealed, { ...place, row: '2' })).toThrow();
  expect(() => seals.open(sealed, { ...place, table: 'connections' })).toThrow();
  expect(seals.open(seals.seal('', place), place)).toBe('');
});

test('opening fails with a different secret, modified text, or plain text', () => {
  const sealed = createSeals(secret).seal('hello', place);
  expect(() => createSeals('b'.repeat(64)).open(sealed, place)).toThrow(/another SECRET_KEY/);
  const [mark, id, text] = sealed.split('.') as [string, string, string];
  for (let at = 0; at < text.length; at += 5) {
    const tampered = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
    if (Buffer.from(tampered, 'base64url').equals(Buffer.from(text, 'base64url'))) continue;
    expect(() => createSeals(secret).open([mark, id, tampered].join('.'), place)).toThrow();
  }
  expect(() => createSeals(secret).open('hello', place)).toThrow(/not sealed/);
  expect(() => createSeals(secret).open([mark, id, 'AAAA'].join('.'), place)).toThrow();
});

test('a keyed hash depends on the text, the purpose, and the secret', () => {
  const mac = (text: string, purpose: string, key = secret) => createSeals(key).mac(text, purpose).toString('hex');
  expect(mac('123456', 'a')).toBe(mac('123456', 'a'));
  expect(
    new Set([mac('123456', 'a'), mac('123457', 'a'), mac('123456', 'b'), mac('123456', 'a', 'b'.repeat(64))]).size,
  ).toBe(4);
});

test('values and hashes stay valid when their secret was replaced, and new ones use the current secret', () => {
  const old = createSeals('o'.repeat(64));
  const rotated = createSeals(secret, ['o'.repeat(64)]);
  expect(rotated.open(old.seal('hello', place), place)).toBe('hello');
  expect(rotated.isMac('123456', 'codes', old.mac('123456', 'codes'))).toBe(true);
  expect(rotated.isMac('123457', 'codes', old.mac('123456', 'codes'))).toBe(false);
  const sealed = rotated.seal('hello', place);
  expect(sealed.startsWith(rotated.prefix)).toBe(true);
  expect(createSeals(secret).open(sealed, place)).toBe('hello');
  expect(() => old.open(sealed, place)).toThrow(/another SECRET_KEY/);
});
