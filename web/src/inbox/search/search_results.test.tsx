import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import SearchResults from './SearchResults.tsx';

afterEach(() => vi.unstubAllGlobals());

const FOUND = {
  ...{ id: 'm1', kind: 'message', direction: 'MO', user_name: null, timestamp: '2026-01-01 09:00:00' },
  conversation: { id: 'c1', channel: 'SMS', contact_name: 'Ann Miller', profile_name: '', number: '447410000123' },
  snippet: [
    { text: 'Where is my ', match: false },
    { text: 'Päckchen', match: true },
  ],
};

test('a search without recent results continues in older texts, and a result opens its message', async () => {
  const session = sessionStub();
  const tokens: (string | null)[] = [];
  stubApi((call) => {
    if (call.path !== '/v1/inbox_texts') return call.path === '/v1/search' ? respond([]) : session(call);
    if (call.query.get('kind') === 'note') return respond({ results: [], next: null });
    const token = call.query.get('page_token');
    tokens.push(token);
    return respond(token === 'b.7' ? { results: [FOUND], next: 'b.3' } : { results: [], next: 'b.7' });
  });
  const onOpen = vi.fn();
  await draw(() => <SearchResults text="päckchen" openText={null} onOpen={onOpen} />);
  const messages = await screen.findByRole('region', { name: 'Found messages' });
  const row = await within(messages).findByRole('button', { name: /Ann Miller/ });
  expect(row.querySelector('mark')?.textContent).toBe('Päckchen');
  fireEvent.click(row);
  expect(onOpen).toHaveBeenCalledWith('c1', 'm1');
  expect(tokens).toEqual([null, 'b.7']);
  expect(within(messages).getByRole('button', { name: 'Search older messages' })).toBeTruthy();
  expect(await screen.findByText('No notes match')).toBeTruthy();
  expect(await screen.findByText('No people match')).toBeTruthy();
});
