/** @vitest-environment happy-dom */
import { createPriceImport } from '@parley/contract/admin/prices.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { ImportPanel } from './ImportPanel.tsx';

const PREVIEW = {
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9caaae',
  filename: 'list.csv',
  missing: 'keep',
  added: 1,
  changed: 1,
  removed: 0,
  unchanged: 4,
  unknown_networks: 0,
  differences: [
    {
      channel: 'SMS',
      country: 'DE',
      mccmnc: null,
      purpose: null,
      currency: 'EUR',
      before_micros: 75_000,
      after_micros: 750_000,
    },
  ],
  invalid: 0,
  problems: [],
  apply_date: null,
  create_date: '2030-01-01 10:00:00',
};

let calls: Call[];
let preview: object;
beforeEach(() => {
  const session = sessionStub();
  preview = PREVIEW;
  calls = stubApi(async (call) => {
    if (call.path === '/v1/price_imports') return respond(preview);
    if (call.path.endsWith('/apply')) return respond({ ...PREVIEW, apply_date: PREVIEW.create_date });
    return session(call);
  });
});
afterEach(() => vi.unstubAllGlobals());

async function chooseFile(): Promise<() => void> {
  const onClose = vi.fn();
  await draw(() => <ImportPanel open onClose={onClose} />);
  await screen.findByText('Import price list');
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  fireEvent.change(input, { target: { files: [new File(['country,currency,price\nDE,EUR,0.75'], 'list.csv')] } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview changes' }));
  return onClose;
}

test('the import shows the counts and the largest difference, and applies only on request', async () => {
  const onClose = await chooseFile();
  const apply = await screen.findByRole('button', { name: 'Apply 2 changes' });
  expect(screen.getByRole('row', { name: /Germany/ }).textContent).toMatch(/0\.075.*0\.75/);
  const { body } = calls.find(({ path }) => path === '/v1/price_imports')!;
  expect(createPriceImport.body.parse(body)).toMatchObject({ filename: 'list.csv', missing: 'keep' });
  expect(calls.some(({ path }) => path.endsWith('/apply'))).toBe(false);
  fireEvent.click(apply);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('an import with an invalid line names it and cannot be applied', async () => {
  preview = { ...PREVIEW, invalid: 1, problems: [{ line: 2, text: 'Unknown country "XX"' }] };
  await chooseFile();
  expect(await screen.findByText('Line 2: Unknown country "XX"')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
});
