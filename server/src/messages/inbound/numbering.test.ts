import { expect, test } from 'vitest';
import type { Incoming } from '../../channels/channel.ts';
import type { NumberForm } from '../../channels/connection_test.ts';
import { completeIncoming } from './numbering.ts';

const incoming = (from: string, form: NumberForm, country: string | null): Incoming => ({
  from,
  to: '63420',
  text: 'STOP',
  part: null,
  ...(country === null ? {} : { numbering: { country, from: form, to: 'undeclared' } }),
  digest: Buffer.from('x'),
  session: 's',
});

test.each([
  ['national', '2025550188', 'national', 'US', '12025550188'],
  ['undeclared and national', '2025550188', 'undeclared', 'US', '12025550188'],
  ['wrongly declared as international', '2025550188', 'international', 'US', '12025550188'],
  ['international', '447700900123', 'international', 'US', '447700900123'],
  ['undeclared and international', '12025550188', 'undeclared', 'US', '12025550188'],
  ['national with a leading zero', '07400500123', 'national', 'GB', '447400500123'],
  ['a short code', '63420', 'undeclared', 'US', '63420'],
  ['a name', 'Harbour', 'undeclared', 'US', 'Harbour'],
  ['national without a country setting', '2025550188', 'national', null, '2025550188'],
] as const)('a number is completed with its country code when it is %s', (_, from, form, country, expected) => {
  expect(completeIncoming(incoming(from, form, country))).toMatchObject({ from: expected, to: '63420' });
});
