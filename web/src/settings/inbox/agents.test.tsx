import type { InboxAgent } from '@parley/contract/inbox/teams.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { AgentsPart } from './AgentsPart.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AGENT: InboxAgent = {
  ...{ id: '0197a5f0-0000-7000-8000-0000000000aa', full_name: 'Ada', away: false, capacity: null },
  ...{ channel_capacities: {}, open: 0, open_by_channel: {} },
};

test('the limits of two channels are both kept if the first response is late, and stay in range', async () => {
  const session = sessionStub({ permissions: { CONVERSATIONS: 15 } });
  const sent: unknown[] = [];
  stubApi((call) => {
    if (call.path === '/v1/inbox_agents') return respond([AGENT]);
    if (!call.path.startsWith('/v1/inbox_agents/')) return session(call);
    sent.push((call.body as InboxAgent).channel_capacities);
    return new Promise<Response>(() => {});
  });
  await draw(AgentsPart);
  fireEvent.click(await screen.findByRole('button', { name: 'By channel' }));
  const box = within(await screen.findByRole('dialog', { name: 'Limits of Ada by channel' }));
  const [first, second] = box.getAllByRole('textbox') as HTMLInputElement[];
  fireEvent.change(first!, { target: { value: '5' } });
  fireEvent.blur(first!);
  fireEvent.change(second!, { target: { value: '4000' } });
  fireEvent.keyDown(second!, { key: 'Enter' });
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(Object.values(sent[1] as object)).toEqual([5, 1000]);
});
