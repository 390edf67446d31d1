import type { CampaignPreview, PreviewFinding } from '@parley/contract/campaigns/previews.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  campaignDraft,
  crowd,
  fanOutAll,
  makeStage,
  readBalance,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { quietCountries } from './quiet_hours.ts';

let world: World;
/** Set to noon in Britain, in winter. */
const clock = heldClock(new Date('2026-12-01T12:00:00Z'));
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(() => world.stop());

const preview = async (stage: Stage, fields: object = {}): Promise<CampaignPreview> => {
  const { from, audience, text } = campaignDraft(stage);
  const reply = await stage.caller.post('/v1/campaign_previews', { from, audience, text, ...fields });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data;
};
const codes = (findings: readonly PreviewFinding[]) => findings.map((finding) => finding.code);

test('a preview matches the counts and cost of the campaign', async () => {
  const stage = await makeStage(world, [
    ...crowd(40),
    { number: '12025550123', country: 'US', first_name: 'A name that makes the text a good deal longer' },
    { number: '12025550124', country: 'US', first_name: 'Zo\u00eb \u0416' },
    { number: '37491000001', country: 'AM' },
    { number: '447400099999', first_name: 'Stopped' },
  ]);
  await world.kernel.db.run(sql`
    insert into stop_list (account_id, id, number, reason) values (${stage.account_id}, ${newId()}, '447400099999',
      'keyword')`);
  const text = `Hello {first_name:friend}, ${'x'.repeat(130)}`;
  const result = await preview(stage, { text });
  expect(result.counts).toEqual({
    total: 44,
    will_receive: 42,
    country: 0,
    country_blocked: 0,
    duplicate: 0,
    excluded: 0,
    no_value: 0,
    stop_list: 1,
    no_text: 0,
    no_route: 0,
    no_session: 0,
    no_price: 1,
    too_long: 0,
    no_window: 0,
    missed: 0,
    landline: 0,
    not_in_use: 0,
    frequency_cap: 0,
  });
  expect(result.segments).toEqual({ min: 1, max: 3, total: 40 + 2 + 3, unicode_recipients: 1 });
  expect(result.cost).toEqual([
    {
      country: 'GB',
      recipients: 40,
      segments: 40,
      price_micros: 40_000,
      price_max_micros: 40_000,
      cost_micros: 1_600_000,
    },
    { country: 'US', recipients: 2, segments: 5, price_micros: 40_000, price_max_micros: 40_000, cost_micros: 200_000 },
  ]);
  expect([result.total_micros, result.available_micros, result.blockers]).toEqual([1_800_000, 100_000_000, []]);
  expect(codes(result.warnings)).toEqual(['not_everybody', 'unicode', 'several_parts', 'quiet_hours']);

  const campaign = await startCampaign(stage, { text });
  await fanOutAll(world, campaign, 7);
  expect((await readBalance(world, stage)).held_micros).toBe(result.total_micros);
});

test('an empty preview has a blocker with a fix for each missing field', async () => {
  const stage = await makeStage(world, crowd(1));
  const reply = await stage.caller.post('/v1/campaign_previews', {});
  expect(reply.body.data).toMatchObject({ counts: { total: 0 }, total_micros: 0, warnings: [] });
  expect(reply.body.data.blockers).toEqual([
    { code: 'no_sender', message: 'Sender is required', fix: { label: 'Select a sender', path: '#setup' } },
    { code: 'no_text', message: 'Template or text is required', fix: { label: 'Write message', path: '#message' } },
    { code: 'no_audience', message: 'Audience is required', fix: { label: 'Select an audience', path: '#setup' } },
  ]);
  const emptyText = await preview(stage, { text: '', from: null });
  expect(emptyText).toMatchObject({ counts: { will_receive: 1 }, total_micros: 0, cost: [] });
});

describe('a preview', () => {
  test.each<[string, (stage: Stage) => object | Promise<object>, string]>([
    ['an unknown variable', () => ({ text: 'Hi {nick}' }), 'unknown_variables'],
    ['an eleven-segment text', () => ({ text: '\u0416'.repeat(700) }), 'text_too_long'],
    ['a schedule in the past', () => ({ schedule: '2026-12-01 11:59' }), 'schedule_past'],
    [
      'a pending sender',
      async (stage) => ({ from: (await makeSender(world.kernel, stage.account_id, { status: 'pending' })).sender_id }),
      'sender_not_approved',
    ],
  ])('is blocked when it has %s', async (_, fields, code) => {
    const stage = await makeStage(world, crowd(2));
    expect(codes((await preview(stage, await fields(stage))).blockers)).toEqual([code]);
  });

  test('is blocked by an unverified account, an empty audience, or unreachable contacts', async () => {
    expect(codes((await preview(await makeStage(world, crowd(1), { status: 'UNVERIFIED' }))).blockers)).toEqual([
      'account_not_active',
    ]);
    expect(codes((await preview(await makeStage(world, []))).blockers)).toEqual(['empty_audience']);
    const withoutPrice = await preview(await makeStage(world, [{ number: '37491000001', country: 'AM' }]));
    expect(withoutPrice.blockers).toMatchObject([
      { code: 'nobody', message: expect.stringContaining('1 without a price') },
    ]);
  });

  test('is blocked by a low balance, only warns when scheduled, and hides amounts without permission', async () => {
    const stage = await makeStage(world, crowd(3), { balance_micros: 50_000 });
    const immediate = await preview(stage);
    expect(immediate.blockers).toEqual([
      {
        code: 'balance',
        message: 'Your balance is too low: the campaign costs $0.12, and $0.05 is available',
        fix: { label: 'Add funds', path: '/add-funds' },
      },
    ]);
    const scheduled = await preview(stage, { schedule: '2026-12-02 12:00' });
    expect([scheduled.blockers, codes(scheduled.warnings)]).toEqual([[], ['schedule_balance']]);
    const member = await makeUser(world.kernel, stage.account_id, { permissions: { CAMPAIGNS: 3 } });
    const hidden = await preview({ ...stage, caller: world.as(member.token) });
    expect(hidden).toMatchObject({ available_micros: null, blockers: [{ message: 'Your balance is too low' }] });
  });
});

describe('a warning', () => {
  test('names the characters that force Unicode or points to recipient data', async () => {
    const stage = await makeStage(world, crowd(2));
    const unicodeText = await preview(stage, { text: 'It\u2019s here\u200b' });
    expect(unicodeText.warnings).toMatchObject([
      { code: 'unicode', message: '"\u2019", U+200B force Unicode: 70 characters per segment instead of 160' },
    ]);
    const unicodeData = await preview(
      await makeStage(world, [{ number: '447400000001', first_name: '\u0410\u043d\u0438' }]),
    );
    expect(unicodeData.warnings[0]!.message).toBe(
      'Characters in the contact data of 1 recipient force Unicode: 70 characters per segment instead of 160',
    );
  });

  test('lists the recipients whose message a content rule holds or refuses, and does not mention reports', async () => {
    const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
    const rule = { name: 'Gambling', kind: 'words', words: ['roulette'], countries: ['DE'], action: 'hold' };
    const { id } = (await operator.post('/v1/content_rules', rule)).body.data;
    const stage = await makeStage(world, [...crowd(2), { number: '4915100000001', country: 'DE' }]);
    await world.kernel.db.run(
      sql`update senders set create_date = '2026-11-30' where account_id = ${stage.account_id}`,
    );
    const warn = async (text: string) => (await preview(stage, { text })).warnings;
    expect(await warn('Play {first_name:now}')).toEqual([]);
    expect(await warn('Play ROULETTE')).toMatchObject([
      {
        code: 'content_rule',
        message:
          'The message to 1 of the recipients will wait until an operator reviews it, because it contains a word ' +
          'that is not allowed in this country',
        fix: { path: '#message' },
      },
    ]);
    await operator.put(`/v1/content_rules/${id}`, { action: 'refuse', countries: [] });
    expect((await warn('Play roulette')).map(({ message }) => message)).toEqual([
      'The message will not be accepted, because it contains a word that is not allowed in this country',
    ]);
    await operator.put(`/v1/content_rules/${id}`, { action: 'notify' });
    expect(await warn('Play roulette')).toEqual([]);
    const newcomers = { name: 'New', kind: 'new_sender', action: 'hold', sender_days: 7, links_per_hour: 2 };
    await operator.put(`/v1/content_rules/${id}`, newcomers);
    expect(codes(await warn('See https://example.com/a'))).toEqual(['content_rule']);
    await operator.put(`/v1/content_rules/${id}`, { links_per_hour: 3 });
    expect(await warn('See https://example.com/a')).toEqual([]);
    await operator.delete(`/v1/content_rules/${id}`);
  });

  test('counts the recipients with an empty variable that has no fallback', async () => {
    const stage = await makeStage(world, [
      { number: '447400000001', first_name: 'A' },
      { number: '447400000002' },
      { number: '447400000003' },
    ]);
    const withoutFallback = await preview(stage, { text: 'Hi {first_name} {custom1:you}' });
    expect(withoutFallback.warnings).toMatchObject([
      {
        code: 'empty_variable',
        message: '{first_name} is empty for 2 recipients. Add a fallback, such as {first_name:friend}',
      },
    ]);
    const named = await makeSender(world.kernel, stage.account_id, {
      code: 'HARBOUR',
      type: 'alphanumeric',
      two_way: false,
    });
    const oneWay = await preview(stage, { text: 'Hi {sms_opt_out}', from: named.sender_id });
    expect(codes(oneWay.warnings)).toEqual([]);
    const linked = await preview(stage, { text: '{url=https://localhost}' });
    expect(codes(linked.blockers)).toEqual(['invalid_links']);
  });

  test('about quiet hours lists the countries where it is night', () => {
    const countries = [
      { country: 'US', recipients: 3 },
      { country: 'GB', recipients: 5 },
      { country: 'NZ', recipients: 1 },
    ];
    const at = (time: string) => quietCountries(new Date(`2026-12-01T${time}Z`), countries);
    expect(at('12:00:00')).toEqual([
      { name: 'United States', recipients: 3, time: '06:00' },
      { name: 'New Zealand', recipients: 1, time: '01:00' },
    ]);
    expect(at('20:59:00').map((country) => country.name)).toEqual([]);
    expect(at('21:00:00').map((country) => country.name)).toEqual(['United Kingdom']);
  });
});

test('samples show the audience’s contacts page by page with their text', async () => {
  const stage = await makeStage(world, [
    { number: '447400000001', first_name: 'Amelia', last_name: 'Hart', custom1: 'mocha' },
    { number: '447400000002', last_name: '\u0416' },
    ...crowd(3, 100),
  ]);
  const text = 'Dear {first_name:friend} {last_name}';
  const requestSamples = async (offset: number, size: number) =>
    (await stage.caller.post('/v1/campaign_samples', { audience: stage.audience_id, text, offset, size })).body.data;
  const emptyVariables = {
    first_name: '',
    last_name: '',
    custom1: '',
    custom2: '',
    sms_opt_out: 'Reply STOP to opt out',
  };
  const fields = { country: 'GB', content: null, segments_count: 1, link_prefix: world.kernel.config.LINK_URL };
  expect(await requestSamples(0, 2)).toEqual({
    total: 5,
    samples: [
      {
        ...fields,
        number: '447400000001',
        variables: { ...emptyVariables, first_name: 'Amelia', last_name: 'Hart', custom1: 'mocha' },
        text: 'Dear Amelia Hart',
        encoding: 'GSM-7',
      },
      {
        ...fields,
        number: '447400000002',
        variables: { ...emptyVariables, last_name: '\u0416' },
        text: 'Dear friend \u0416',
        encoding: 'UCS-2',
      },
    ],
  });
  expect((await requestSamples(4, 10)).samples).toMatchObject([{ number: crowd(1, 102)[0]!.number }]);
  expect(await requestSamples(5, 10)).toEqual({ total: 5, samples: [] });
});

test('a preview of 100,000 contacts finishes within seconds', async () => {
  const stage = await makeStage(world, crowd(100_000), { balance_micros: 10_000_000_000 });
  const start = performance.now();
  const result = await preview(stage, { text: 'Hello {first_name}, your coffee is waiting at the harbour' });
  const took = performance.now() - start;
  expect([result.counts.will_receive, result.total_micros]).toEqual([100_000, 4_000_000_000]);
  // The preview takes about one second on its own, and several times that while the whole suite runs.
  expect(took).toBeLessThan(25_000);
});
