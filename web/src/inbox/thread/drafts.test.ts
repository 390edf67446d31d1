import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { type Draft, dropDraft, notYetIn, putDraft } from './drafts.ts';

const draft = (key: string, text: string, overrides: Partial<Draft> = {}): Draft => ({
  key,
  body: { text },
  after: '5',
  problem: null,
  ...overrides,
});
const message = (id: string, text: string, direction = 'MT') => ({ id, text, direction });

describe('a reply that is being sent', () => {
  it('is not shown twice when its message arrives before the response', () => {
    expect(notYetIn([message('6', 'Yes')], [draft('a', 'Yes')])).toEqual([]);
  });

  it('does not match an older message, a different text, or an inbound message', () => {
    const drafts = [draft('a', 'Yes')];
    expect(notYetIn([message('4', 'Yes'), message('6', 'No'), message('7', 'Yes', 'MO')], drafts)).toEqual(drafts);
  });

  it('remains when the same text is sent twice and only one message has arrived', () => {
    const [first, second] = [draft('a', 'Yes'), draft('b', 'Yes')];
    expect(notYetIn([message('6', 'Yes')], [first, second])).toEqual([second]);
  });

  it('remains after it is rejected, regardless of arriving messages', () => {
    const failedDraft = draft('a', 'Yes', { problem: 'Your balance is too low' });
    expect(notYetIn([message('6', 'Yes')], [failedDraft])).toEqual([failedDraft]);
  });
});

describe('drafts in a conversation', () => {
  const client = new QueryClient();
  const all = () => client.getQueryData<Draft[]>(['reply_drafts', 'c']);

  it('keep their position through failure and retry and are removed individually', () => {
    putDraft(client, 'c', draft('a', 'One'));
    putDraft(client, 'c', draft('b', 'Two'));
    putDraft(client, 'c', draft('a', 'One', { problem: 'No' }));
    expect(all()?.map(({ key, problem }) => [key, problem])).toEqual([
      ['a', 'No'],
      ['b', null],
    ]);
    dropDraft(client, 'c', 'a');
    expect(all()?.map(({ key }) => key)).toEqual(['b']);
    expect(client.getQueryData(['reply_drafts', 'another'])).toBeUndefined();
  });
});

describe('drafts after a reload', () => {
  it('are still there, and one that was being sent can be sent again with its key', () => {
    putDraft(new QueryClient(), 'r', draft('a', 'One'));
    putDraft(new QueryClient(), 'r', draft('b', 'Two', { problem: 'Refused' }));
    const client = new QueryClient();
    putDraft(client, 'r', draft('c', 'Three'));
    const drafts = client.getQueryData<Draft[]>(['reply_drafts', 'r']) ?? [];
    expect(drafts.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(drafts[0]?.problem).toContain('reloaded');
    expect(drafts[1]?.problem).toBe('Refused');
    for (const key of ['a', 'b', 'c']) dropDraft(client, 'r', key);
    putDraft(new QueryClient(), 'r', draft('d', 'Four'));
    expect(JSON.parse(sessionStorage.getItem('parley.unsent..r') ?? '[]')).toHaveLength(1);
    sessionStorage.clear();
  });
});
