import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { showAsRead } from './read_mark.ts';

test('a conversation is shown as read in the lists, when it is open, and in the counts', () => {
  const client = new QueryClient();
  const unread = { id: 'c1', unread_count: 3, assignee_id: null } as Conversation;
  const other = { id: 'c2', unread_count: 2, assignee_id: null } as Conversation;
  const zero = { conversations: 0, unread: 0 };
  const list = ['conversations', 'conversations.list', { bucket: 'none' }];
  client.setQueryData(list, { pages: [{ data: [unread, other] }] });
  const plain = ['conversations', 'conversations.list', { query: { page_size: 10 } }];
  client.setQueryData(plain, { data: [other] });
  client.setQueryData(['conversations', 'conversations.get', { params: { id: 'c1' } }], { data: unread });
  client.setQueryData(['conversation_badges', 'conversation_badges.get', {}], {
    data: { id: 'u', self: zero, none: { conversations: 2, unread: 5 }, others: zero },
  });
  showAsRead(client, unread, 'u');
  expect(client.getQueryData(list)).toMatchObject({ pages: [{ data: [{ unread_count: 0 }, { unread_count: 2 }] }] });
  expect(client.getQueryData(plain)).toEqual({ data: [other] });
  expect(client.getQueryData(['conversations', 'conversations.get', { params: { id: 'c1' } }])).toMatchObject({
    data: { unread_count: 0 },
  });
  expect(client.getQueryData(['conversation_badges', 'conversation_badges.get', {}])).toMatchObject({
    data: { none: { conversations: 1, unread: 2 } },
  });
});
