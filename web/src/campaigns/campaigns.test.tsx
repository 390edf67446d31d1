import { type Campaign, getCampaign, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { NO_CAMPAIGN_CONTENT } from '@parley/contract/campaigns/content.ts';
import type { CampaignResults } from '@parley/contract/campaigns/results.ts';
import { NO_SAFETY } from '@parley/contract/campaigns/safety.ts';
import { CAMPAIGN_STATUSES } from '@parley/contract/campaigns/statuses.ts';
import { NO_TIMING } from '@parley/contract/campaigns/timing.ts';
import { QueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { queryKey } from '../kernel/http/query.ts';
import { draw, refuse, respond, type Stub, sessionStub, stubApi, USER } from '../test/draw.tsx';
import SmsCampaignsPage from './list/CampaignsPage.tsx';
import { applyProgress, followRecipients } from './live.ts';
import CampaignPage from './progress/CampaignPage.tsx';
import CreateSmsCampaignPage from './wizard/CreateCampaignPage.tsx';
import { draftKey, emptyDraft, readDraft, writeDraft } from './wizard/draft.ts';

afterEach(() => vi.unstubAllGlobals());

const counts = {
  waiting: 0,
  enroute: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  rejected: 0,
  expired: 0,
  blocked: 0,
  unsubscribed: 0,
  canceled: 0,
};
const campaign = (overrides: Partial<Campaign> = {}): Campaign => ({
  ...NO_CAMPAIGN_CONTENT,
  template_id: null,
  session_text: null,
  template_name: null,
  countries: null,
  fallbacks: [],
  audience_ids: ['a1'],
  excluded_audience_ids: [],
  timing: NO_TIMING,
  safety: NO_SAFETY,
  safeguards: { canary: null, tripped: null, lookup: null },
  test: null,
  test_state: null,
  repeat: null,
  trigger: null,
  next_runs: [],
  series_id: null,
  run_date: null,
  approval: null,
  tags: [],
  note: '',
  archive_date: null,
  waits: [],
  links: { self: '/v1/campaigns/c1', account: '/v1/accounts/a1' },
  id: '0197a5f0-0000-7000-8000-0000000000c1',
  account_id: USER.account_id,
  name: 'Spring opening',
  channel: 'SMS',
  status: 'completed',
  status_details: null,
  sender_id: 's1',
  sender_name: 'Harbour',
  audience_id: 'a1',
  audience_name: 'Regulars',
  text: 'Hello {first_name}',
  schedule: null,
  validity_seconds: 86_400,
  total: 1_200,
  fanned_out: 1_200,
  skipped: {},
  lists_skips: true,
  lists_canceled: false,
  counts: { ...counts, delivered: 1_186, failed: 14 },
  retryable: 0,
  in_review: 0,
  messages: { total: 1_200, delivered: 1_186, failed: 14 },
  cost_micros: 18_060_000,
  currency: 'USD',
  start_date: '2026-11-21 10:00:00',
  end_date: '2026-11-21 10:04:00',
  create_date: '2026-11-21 09:55:00',
  update_date: '2026-11-21 10:04:00',
  ...overrides,
});
const noPages = { number: 1, size: 10, total: 0, links: { first: '', current: '', previous: null, next: null } };
const results = (stored: Campaign): CampaignResults => ({
  ...{ id: stored.id, replies: 37, opt_outs: 4, clicked: null, silent: 0, forecast: null, actual: [], variants: [] },
  ...{ networks: [], failures: [], links: [] },
  ...{ currency: stored.currency, step_seconds: 300, points: [] },
});
const campaignStub =
  (stored: Campaign, session: Stub = sessionStub()): Stub =>
  (call) => {
    if (call.path.endsWith('/recipients')) return respond([], noPages);
    if (call.path.endsWith('/results')) return respond(results(stored));
    if (call.path.startsWith('/v1/campaigns/')) return respond(stored);
    return session(call);
  };

describe('the campaign page', () => {
  const notStarted = { start_date: null, end_date: null, total: 0, fanned_out: 0, counts };
  const expected: Record<Campaign['status'], [Partial<Campaign>, string[]]> = {
    in_complete: [notStarted, ['Continue']],
    scheduled: [{ ...notStarted, schedule: '2027-01-01 08:00:00' }, ['Cancel', 'Send now']],
    in_progress: [
      { end_date: null, counts: { ...counts, waiting: 300, enroute: 12, delivered: 888 } },
      ['Cancel', 'Pause'],
    ],
    paused: [
      { end_date: null, status_details: 'balance', counts: { ...counts, waiting: 300, enroute: 12, delivered: 888 } },
      ['Cancel', 'Resume (312)'],
    ],
    completed: [{ retryable: 14 }, ['Retry undelivered (14)']],
    failed: [{ status_details: 'undelivered', retryable: 1_200 }, ['Retry undelivered (1,200)']],
    canceled: [{ retryable: 14 }, []],
    error: [
      { status_details: 'internal', counts: { ...counts, waiting: 100, delivered: 1_100 } },
      ['Cancel', 'Resume (100)'],
    ],
  };

  test.each(CAMPAIGN_STATUSES)('shows only the buttons that apply when the status is %s', async (status) => {
    const [overrides, buttons] = expected[status];
    stubApi(campaignStub(campaign({ status, ...overrides })));
    await draw(CampaignPage);
    await screen.findByRole('heading', { name: 'Spring opening' });
    const actions = /^(Continue|Cancel|Send now|Pause|Resume \(.*\)|Retry undelivered \(.*\))$/;
    const listActions = () =>
      [...screen.queryAllByRole('button'), ...screen.queryAllByRole('link')]
        .map((button) => button.textContent ?? '')
        .filter((name) => actions.test(name));
    // The actions load separately.
    await waitFor(() => expect(listActions()).toEqual(buttons), { timeout: 10_000 });
  });

  test('shows why a campaign is paused', async () => {
    stubApi(campaignStub(campaign({ status: 'paused', status_details: 'balance', end_date: null })));
    await draw(CampaignPage);
    expect(await screen.findByText(/Your balance is too low\. Add funds, then resume\./)).toBeTruthy();
  });

  test('disables the buttons for a user with only view permission', async () => {
    const calls = stubApi(
      campaignStub(
        campaign({ status: 'in_progress', end_date: null, counts: { ...counts, enroute: 5 } }),
        sessionStub({ permissions: { CAMPAIGNS: 1 } }),
      ),
    );
    await draw(CampaignPage);
    const pause = await screen.findByRole('button', { name: 'Pause' });
    expect(pause.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(pause);
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('shows a not-found message when the campaign does not exist', async () => {
    stubApi((call) =>
      call.path.startsWith('/v1/campaigns/')
        ? refuse(404, { code: 1601, message: 'Campaign not found' })
        : sessionStub()(call),
    );
    await draw(CampaignPage);
    expect(await screen.findByRole('heading', { name: 'Campaign not found' })).toBeTruthy();
  });
});

test('a canceled campaign links its messages and the contacts without one', async () => {
  const stored = campaign({
    status: 'canceled',
    total: 22,
    fanned_out: 12,
    counts: { ...counts, delivered: 8, canceled: 4 },
    skipped: { canceled: 5, stop_list: 3, removed: 2 },
    lists_canceled: true,
  });
  const stub = campaignStub(stored);
  stubApi((call) =>
    call.path.endsWith('/results') ? refuse(404, { code: 1601, message: 'Campaign not found' }) : stub(call),
  );
  await draw(CampaignPage);
  const progress = within(await screen.findByRole('region', { name: 'Progress' }));
  const readFigure = (name: string) =>
    progress.getByText(name, { exact: true }).closest('div')?.querySelector('dd')?.textContent;
  expect(['Canceled', 'Never started', 'Skipped'].map(readFigure)).toEqual(['4', '5', '3']);
  expect(progress.getByRole('link', { name: 'Canceled' }).getAttribute('href')).toContain('bucket=canceled');
  expect(progress.getByRole('link', { name: 'Skipped' }).getAttribute('href')).toContain('bucket=skipped');
  expect(progress.getByRole('link', { name: 'Never started' }).getAttribute('href')).toContain('bucket=unsent');
  expect(progress.getByText('Skipped recipients: on the stop list (3), removed from audience (2).')).toBeTruthy();
});

test('a progress event updates the cache exactly as a refetch would', () => {
  const client = new QueryClient();
  const before = campaign({ status: 'in_progress', end_date: null, counts: { ...counts, waiting: 1_200 } });
  const other = campaign({ id: 'other', name: 'Other' });
  const key = queryKey(getCampaign, { params: { id: before.id } });
  const listKey = queryKey(listCampaigns, { query: { page: 1, page_size: 10, filter: { channel: 'SMS' } } });
  client.setQueryData(key, { data: before });
  client.setQueryData(listKey, { data: [other, before], pagination: noPages });
  const event = campaign({
    status: 'in_progress',
    end_date: null,
    counts: { ...counts, waiting: 200, delivered: 1_000 },
  });
  applyProgress(client, event);
  expect(client.getQueryData(key)).toEqual({ data: event });
  expect(client.getQueryData(listKey)).toEqual({ data: [other, event], pagination: noPages });
  applyProgress(client, campaign({ id: 'unknown' }));
  expect(client.getQueryData(listKey)).toEqual({ data: [other, event], pagination: noPages });
});

test('recipients are refetched immediately after a quiet period and at the end, and at intervals in between', () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const refetch = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  const running = campaign({ status: 'in_progress', counts: { ...counts, enroute: 3 } });
  followRecipients(client, running);
  expect(refetch).toHaveBeenCalledTimes(1);
  followRecipients(client, running);
  followRecipients(client, running);
  expect(refetch).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(3_000);
  expect(refetch).toHaveBeenCalledTimes(2);
  followRecipients(client, campaign());
  expect(refetch).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(10_000);
  expect(refetch).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test('an unverified account can open the campaigns page but not create a campaign', async () => {
  const session = sessionStub({ verified: false });
  stubApi((call) => (call.path === '/v1/campaigns' ? respond([], noPages) : session(call)));
  await draw(SmsCampaignsPage);
  const [create] = await screen.findAllByText('Create campaign');
  expect(create!.closest('a')!.getAttribute('aria-disabled')).toBe('true');
  expect(await screen.findByText('No SMS campaigns yet')).toBeTruthy();
});

describe('the wizard', () => {
  const sender = { id: 's1', name: 'Harbour', code: '4917139200000', status: 'available' };
  const audience = { id: 'a1', name: 'Regulars', contacts_count: 24 };
  const preview = {
    counts: { total: 24, will_receive: 22, stop_list: 2, no_text: 0, no_route: 0, no_price: 0, too_long: 0 },
    segments: { min: 1, max: 1, total: 22, unicode_recipients: 0 },
    cost: [
      {
        country: 'DE',
        recipients: 22,
        segments: 22,
        price_micros: 85_000,
        price_max_micros: 85_000,
        cost_micros: 1_870_000,
      },
    ],
    total_micros: 1_870_000,
    currency: 'USD',
    arrivals: { bucket_minutes: 60, buckets: [], first: null, last: null },
    zones: { contact: 0, number: 0, country: 0, account: 0 },
    available_micros: 5_000_000_000,
    blockers: [],
    warnings: [],
  };
  const world =
    (create: Stub = () => undefined): Stub =>
    async (call) => {
      if (call.path === '/v1/senders') return respond([sender], noPages);
      if (call.path === '/v1/audiences') return respond([audience], noPages);
      if (call.path === '/v1/campaign_samples') return respond({ total: 0, samples: [] });
      if (call.path === '/v1/campaign_previews') return respond(preview);
      return (await create(call)) ?? sessionStub()(call);
    };
  const key = draftKey(USER.id, 'SMS', 'new');
  const ready = { ...emptyDraft(), name: 'Spring', sender_id: 's1', audience_id: 'a1', text: 'Hello' };

  test('shows a server error above the buttons with a link to its step and keeps the draft', async () => {
    const calls = stubApi(
      world(({ method, path }) =>
        method === 'POST' && path === '/v1/campaigns'
          ? refuse(409, { code: 1610, message: 'A campaign with this name already exists', field: 'name' })
          : undefined,
      ),
    );
    writeDraft(key, ready);
    const { router } = await draw(CreateSmsCampaignPage, { address: '/?step=review' });
    fireEvent.click(await screen.findByRole('button', { name: 'Send to 22 people for $1.87' }));
    expect((await screen.findByRole('alert')).textContent).toContain('A campaign with this name already exists');
    const [request] = calls.filter(({ method, path }) => method === 'POST' && path === '/v1/campaigns');
    expect(request!.body).toEqual({
      name: 'Spring',
      channel: 'SMS',
      template: null,
      countries: null,
      from: 's1',
      audience_ids: ['a1'],
      excluded_audience_ids: [],
      fallbacks: [],
      text: 'Hello',
      validity_seconds: 86_400,
      schedule: null,
      timing: NO_TIMING,
      safety: NO_SAFETY,
      test: null,
      repeat: null,
      trigger: null,
      start: true,
    });
    expect(request!.headers.get('idempotency-key')).toBeTruthy();
    expect(readDraft(key)).toEqual(ready);
    fireEvent.click(screen.getByRole('button', { name: 'Go to step' }));
    await waitFor(() => expect((router.state.location.search as { step?: string }).step).toBeUndefined());
    expect(((await screen.findByLabelText(/^Name/)) as HTMLInputElement).value).toBe('Spring');
  });

  test('does not send a campaign while a blocker remains', async () => {
    const blockedPreview = {
      ...preview,
      blockers: [{ code: 'balance', message: 'Your balance is too low', fix: null }],
    };
    const calls = stubApi((call) => (call.path === '/v1/campaign_previews' ? respond(blockedPreview) : world()(call)));
    writeDraft(key, ready);
    await draw(CreateSmsCampaignPage, { address: '/?step=review' });
    await screen.findByText('Your balance is too low.');
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Fix the highlighted problems');
    expect(calls.some(({ method, path }) => method === 'POST' && path === '/v1/campaigns')).toBe(false);
  });

  test('does not send a draft that another tab sent or discarded until the user continues', async () => {
    const calls = stubApi(world());
    writeDraft(key, ready);
    await draw(CreateSmsCampaignPage, { address: '/?step=review' });
    const send = () => screen.getByRole('button', { name: /^Send to 22 people/ });
    await waitFor(() => expect(send().getAttribute('aria-disabled')).toBeNull());
    writeDraft(key, null);
    fireEvent(window, new StorageEvent('storage', { key, newValue: null }));
    expect(await screen.findByText(/sent or discarded in another tab\. Nothing/)).toBeTruthy();
    fireEvent.click(send());
    expect(calls.some(({ method, path }) => method === 'POST' && path === '/v1/campaigns')).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: 'Continue as new campaign' }));
    await waitFor(() => expect(send().getAttribute('aria-disabled')).toBeNull());
    expect(readDraft(key)).toEqual(ready);
  });

  test('clears a deleted audience and asks for a different one', async () => {
    const session = world();
    stubApi((call) => {
      if (call.path === '/v1/audiences') return respond([], noPages);
      if (call.path === '/v1/audiences/a1') return refuse(404, { code: 1302, message: 'Audience is not found' });
      return session(call);
    });
    writeDraft(key, ready);
    const { router } = await draw(CreateSmsCampaignPage, { address: '/?step=review' });
    await waitFor(() => expect((router.state.location.search as { step?: string }).step).toBeUndefined());
    expect(readDraft(key)?.audience_id).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Audience is required!')).toBeTruthy();
  });

  test('loads the senders on Retry after a failed request', async () => {
    let broken = true;
    stubApi((call) =>
      call.path === '/v1/senders' && broken
        ? refuse(500, { code: 1001, message: 'Something went wrong' })
        : world()(call),
    );
    await draw(CreateSmsCampaignPage);
    await screen.findByText(/The senders could not be loaded\. Something went wrong/);
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText(/could not be loaded/)).toBeNull());
  });
});
