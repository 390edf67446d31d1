import { expect, test } from 'vitest';
import { detailRows } from './audit_words.ts';

test('detail rows show field names as words and leave entered values unchanged', () => {
  expect(
    detailRows({
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
