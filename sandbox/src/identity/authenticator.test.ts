import { expect, test } from 'vitest';
import { createDirectory, openBox } from '../test/box.ts';
import { Authenticators, codeAt } from './authenticator.ts';

// The test vectors of RFC 6238, appendix B (SHA-1), reduced to the last six of their eight digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const rows = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
] as const;

test.each(rows)('an authenticator at %i seconds shows the code %s', (seconds, code) => {
  expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code);
  const authenticators = new Authenticators(createDirectory(), () => seconds * 1000);
  expect(authenticators.put('rfc', 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq')).toEqual({
    label: 'rfc',
    code,
    next_code: codeAt(secret, Math.floor(seconds / 30) + 1),
    seconds_left: 30 - (seconds % 30),
  });
});

test('a secret survives a restart and can be read and removed by its label', async () => {
  const directory = createDirectory();
  const box = await openBox({}, directory);
  const label = 'operator@demo.localhost';
  const response = await box.call('PUT', `authenticators/${label}`, { secret });
  expect(response.body).toMatchObject({ label, code: expect.stringMatching(/^\d{6}$/) });
  await box.sandbox.close();
  const again = await openBox({}, directory);
  expect(await again.get(`authenticators/${encodeURIComponent(label)}`)).toMatchObject({ label });
  expect((await again.get('authenticators')).authenticators).toHaveLength(1);
  expect((await again.call('DELETE', `authenticators/${label}`)).status).toBe(204);
  expect((await again.call('GET', `authenticators/${label}`)).status).toBe(404);
});

test('an invalid secret is rejected', async () => {
  const box = await openBox();
  for (const body of [{}, { secret: '' }, { secret: 'short' }, { secret: '1'.repeat(20) }, { secret, more: 1 }]) {
    const response = await box.call('PUT', 'authenticators/x', body);
    expect([response.status, response.body.errors[0].code]).toEqual([422, 'invalid']);
  }
});
