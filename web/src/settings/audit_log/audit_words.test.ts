import { expect, test } from 'vitest';
import { detailLines } from './audit_words.ts';

test('names of fields are read as words, what was typed is left as it is', () => {
  expect(
    detailLines({
      part: 'sms_campaign',
      fields: ['use_case', 'monthly_volume'],
      file_name: 'proof_of_it.pdf',
      reason: '',
    }),
  ).toEqual([
    { label: 'Part', text: 'sms campaign' },
    { label: 'Fields', text: 'use case, monthly volume' },
    { label: 'File name', text: 'proof_of_it.pdf' },
  ]);
});
