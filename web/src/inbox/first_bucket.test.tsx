import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, type Stub, sessionStub, stubApi } from '../test/draw.tsx';
import FirstBucketPage from './FirstBucketPage.tsx';
import { OtherInboxes } from './OtherInboxes.tsx';

afterEach(() => vi.unstubAllGlobals());

const emptyBucket = { conversations: 0, unread: 0 };
const filledBucket = { conversations: 1, unread: 2 };
const serve = (badges: object, permissions?: Record<string, number>) => {
  const session = sessionStub(permissions ? { permissions } : {});
  const stub: Stub = (call) =>
    call.path === '/v1/conversation_badges'
      ? respond({ id: 'badges', self: emptyBucket, none: emptyBucket, others: emptyBucket, ...badges })
      : session(call);
  return stubApi(stub);
};
const leadsTo = async (path: string) => {
  const { router } = await draw(FirstBucketPage);
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
};

test('the inbox opens the bucket with unread messages', async () => {
  serve({ none: filledBucket, others: filledBucket });
  await leadsTo('/inbox/unassigned');
});
test('the inbox prefers conversations assigned to the user, even without unread messages', async () => {
  serve({ self: filledBucket, none: filledBucket });
  await leadsTo('/inbox/assigned-to-me');
  serve({});
  await leadsTo('/inbox/assigned-to-me');
});
test('a user with access to one inbox is redirected without loading counts', async () => {
  const calls = serve({ none: filledBucket }, { MESSAGES: 1 });
  await leadsTo('/inbox/assigned-to-me');
  expect(calls.some(({ path }) => path === '/v1/conversation_badges')).toBe(false);
});
test('an empty inbox links to inboxes with unread messages', async () => {
  serve({ none: filledBucket });
  await draw(() => <OtherInboxes bucket="self" />);
  const link = await screen.findByRole('link', { name: '1 unread conversation in Unassigned' });
  expect(link.getAttribute('href')).toBe('/inbox/unassigned?unread=true');
});
