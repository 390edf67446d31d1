import { expect, test } from 'vitest';
import { matchingStep, newTotpSecret, stepAt, toBase32, totpCode, totpUri } from './totp.ts';

const secret = toBase32(Buffer.from('12345678901234567890'));
const at = (seconds: number) => new Date(seconds * 1000);

// The SHA-1 test vectors in RFC 6238, appendix B.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at %i seconds is %s', (seconds, code) => {
  expect(totpCode(secret, stepAt(at(seconds)), 8)).toBe(code);
  expect(matchingStep(secret, code.slice(2), at(seconds), 0)).toBe(stepAt(at(seconds)));
});

test('a code is valid in its own and adjacent time steps, but not at or before the last used step', () => {
  const step = 50_000_000;
  const time = at(step * 30 + 15);
  const code = (offset: number) => totpCode(secret, step + offset);
  expect([-2, -1, 0, 1, 2].map((offset) => matchingStep(secret, code(offset), time, 0))).toEqual([
    null,
    step - 1,
    step,
    step + 1,
    null,
  ]);
  expect(matchingStep(secret, code(0), time, step)).toBeNull();
  expect(matchingStep(secret, code(-1), time, step)).toBeNull();
  expect(matchingStep(secret, code(1), time, step)).toBe(step + 1);
  for (const invalidCode of ['', '12345', '1234567', 'abcdef', `${code(0)} `])
    expect(matchingStep(secret, invalidCode, time, 0)).toBeNull();
});

test('a secret has 160 random bits, and the QR code URI names the product and the person', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
  expect(totpUri('ABC', 'Parley', 'a+b@c.example')).toBe(
    'otpauth://totp/Parley:a%2Bb%40c.example?secret=ABC&issuer=Parley',
  );
});
