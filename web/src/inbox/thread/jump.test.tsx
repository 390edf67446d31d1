import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useJump } from './jump.ts';
import type { Row } from './rows.ts';
import type { Thread } from './thread.ts';

const THREAD: Thread = {
  ...{ messages: [], assignments: [], entries: [], drafts: [] },
  ...{ loading: false, error: null, hasOlder: true, loadingOlder: false },
  ...{ retry: vi.fn(), loadOlder: vi.fn(), send: vi.fn(), resend: vi.fn(), sendAgain: vi.fn(), discard: vi.fn() },
};
const rows = (keys: readonly string[]) => keys.map((key) => ({ kind: 'message', key }) as Row);
const thread = (keys: readonly string[], more: Partial<Thread> = {}): Thread => ({
  ...{ ...THREAD, ...more },
  messages: keys.map((id) => ({ id }) as ConversationMessage),
});

test('a thread loads older messages until it has the one to show, and then shows it once', () => {
  const show = vi.fn();
  const jump = (keys: readonly string[], more: Partial<Thread> = {}) => ({ keys, of: thread(keys, more) });
  const { result, rerender } = renderHook(({ keys, of }) => useJump('m2', of, rows(keys), show), {
    initialProps: jump(['m5', 'm6']),
  });
  expect(THREAD.loadOlder).toHaveBeenCalledExactlyOnceWith({ many: true });
  rerender(jump(['m5', 'm6'], { loadingOlder: true }));
  expect(THREAD.loadOlder).toHaveBeenCalledTimes(1);
  rerender(jump(['m1', 'm2', 'm5', 'm6']));
  rerender(jump(['m0', 'm1', 'm2', 'm5', 'm6']));
  expect(show).toHaveBeenCalledExactlyOnceWith(1);
  expect(result.current).toBe('m2');
});
