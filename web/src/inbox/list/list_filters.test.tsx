import type { InboxSender } from '@parley/contract/inbox/inbox.ts';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { useInboxFilters } from './filters.ts';
import { useInboxViews } from './inbox_views.ts';
import { ListFilters } from './ListFilters.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const VIBER = '0197a5f0-0000-7000-8000-0000000000d1';
const SMS = '0197a5f0-0000-7000-8000-0000000000d2';
const SENDERS: InboxSender[] = [
  { label: 'Harbour Coffee', value: VIBER, channel: 'VIBER' },
  { label: 'Harbour Hamburg', value: SMS, channel: 'SMS' },
];

function Filters() {
  const [filters, change] = useInboxFilters();
  const views = useInboxViews({ bucket: 'none', filters, isUnreadOnly: false, onFilters: change, onInbox: () => {} });
  return (
    <>
      <ListFilters
        filters={filters}
        onChange={change}
        isUnreadOnly={false}
        onUnreadOnly={() => {}}
        views={views}
        filter={{}}
        hasTargets={false}
      />
      <output>{JSON.stringify(filters)}</output>
    </>
  );
}
const LABEL = { id: '0197a5f0-0000-7000-8000-0000000000d3', name: 'Refund', color: 'red' };
const show = async (labels: object[] = []) => {
  stubApi(({ path, ...call }) => {
    if (path === '/v1/inbox_senders') return respond(SENDERS);
    if (path === '/v1/labels') return respond(labels);
    if (path === '/v1/list_views') return respond([]);
    return sessionStub()({ path, ...call });
  });
  await draw(Filters);
  await screen.findByText('Harbour Hamburg (SMS)');
};
const options = (name: string) =>
  within(screen.getByLabelText(name))
    .getAllByRole('option')
    .map((option) => option.textContent);
const choose = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
const filters = () => JSON.parse(screen.getByRole('status').textContent);

test('conversations are filtered by channel and sender, and the tab keeps the filters', async () => {
  await show();
  expect(options('Channel')).toEqual(['All Channels', 'SMS', 'WhatsApp', 'Viber', 'Voice', 'Google RCS', 'Telegram']);
  expect(options('Sender')).toEqual(['All Senders', 'Harbour Coffee (Viber)', 'Harbour Hamburg (SMS)']);
  choose('Sender', VIBER);
  choose('Channel', 'VIBER');
  expect(filters()).toMatchObject({ channel: 'VIBER', sender_id: VIBER });
  expect(options('Sender')).toEqual(['All Senders', 'Harbour Coffee (Viber)']);
  choose('Channel', 'SMS');
  expect(filters()).toMatchObject({ channel: 'SMS', sender_id: null });
  fireEvent.change(screen.getByLabelText('Search the inbox'), { target: { value: 'Ada' } });
  cleanup();
  await show();
  expect(filters()).toMatchObject({ search: 'Ada', channel: 'SMS', sender_id: null, status: 'open' });
  choose('Channel', '');
  expect(filters()).toMatchObject({ channel: null });
});

test('a filter by a label that was deleted stays visible until it is cleared', async () => {
  await show([LABEL]);
  await screen.findByText('Refund');
  choose('Label', LABEL.id);
  cleanup();
  await show();
  await screen.findByText('Deleted label');
  expect(filters()).toMatchObject({ label_id: LABEL.id });
  choose('Label', '');
  expect(options('Label')).toEqual(['All labels']);
});
