import type { SavedResponse } from '@parley/contract/inbox/responses.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import ResponsePicker, { groupResponses } from './ResponsePicker.tsx';

afterEach(() => vi.unstubAllGlobals());

const ID = '0197a5f0-0000-7000-8000-0000000000aa';
const RESPONSE = { id: ID, name: 'Hours', text: 'Hello {first_name}' } as SavedResponse;

test('a response is filled in for the conversation and inserted, with a notice about missing values', async () => {
  const session = sessionStub({ permissions: { MESSAGES: 15 } });
  const calls: string[] = [];
  stubApi((call) => {
    if (call.path.startsWith('/v1/responses')) calls.push(call.path);
    if (call.path.endsWith('/texts')) return respond({ text: 'Hello {first_name}', missing: ['first_name'] });
    if (call.path === '/v1/responses')
      return respond([RESPONSE], { total: 1, links: { next: null, previous: null, first: '', current: '' } });
    return session(call);
  });
  const [onInsert, onClose] = [vi.fn(), vi.fn()];
  await draw(() => <ResponsePicker conversation_id={ID} onInsert={onInsert} onClose={onClose} />);
  fireEvent.click(await screen.findByRole('button', { name: /Hours/ }));
  await waitFor(() => expect(onInsert).toHaveBeenCalledWith('Hello {first_name}'));
  expect(onClose).toHaveBeenCalled();
  expect(calls).toContain(`/v1/responses/${ID}/texts`);
});

test('responses are grouped by folder, and those with a matching shortcut come first', () => {
  const make = (name: string, more: Partial<SavedResponse> = {}) =>
    ({ id: name, name, folder: null, shortcut: null, ...more }) as SavedResponse;
  const titles = (rows: SavedResponse[], search = '') =>
    groupResponses(rows, search).map(({ title, responses }) => [title, ...responses.map(({ name }) => name)]);
  const [a, b] = [make('a', { folder: 'Billing', shortcut: 'refund' }), make('b', { folder: 'billing' })];
  expect(titles([a, b, make('c')])).toEqual([
    ['Billing', 'a', 'b'],
    ['No folder', 'c'],
  ]);
  expect(titles([make('c')])).toEqual([[null, 'c']]);
  expect(titles([a, b], '/REF')).toEqual([
    ['Matching shortcut', 'a'],
    ['billing', 'b'],
  ]);
});
