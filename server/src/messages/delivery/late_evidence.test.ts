/** Tests evidence that arrives after a message was given up or sent again. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Outcome, Report } from '../../channels/channel.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { accept, requeueFailed } from '../messages.ts';
import type { Claimed } from '../queue/claim.ts';
import { settleAmbiguous } from '../status/ambiguous.ts';
import { expireQueued } from '../status/expiry.ts';
import { createReportBatcher } from '../status/reports.ts';
import { pruneUnanswered } from '../status/unanswered.ts';
import { recordResponses } from './responses.ts';

const FUNDS = 1_000_000;
const PRICE = 40_000;
const LONG_TEXT = 'A long story of many words. '.repeat(13);
let world: World;
let connection_id: string;
let company: Company;
let code: string;
let sender_id: string;
let next = 0;

beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  ({ connection_id } = await makeCarrier(world.kernel, { unknown_policy: 'fail', grace_seconds: 1 }));
  const worker_id = newId();
  await run(sql`
    insert into workers (id, process, lease_until) values (${worker_id}, 'test', now() + interval '1 hour')`);
  await run(sql`
    insert into binds (connection_id, slot, worker_id, state, bound_date, lease_until)
    values (${connection_id}, 1, ${worker_id}, 'bound', now() - interval '1 hour', now() + interval '1 hour')`);
});
afterAll(() => world.stop());
beforeEach(async () => {
  await setPolicy('fail');
  company = await makeCompany(world.kernel, { balance_micros: FUNDS });
  ({ code, sender_id } = await makeSender(world.kernel, company.account_id));
});

const run = (statement: ReturnType<typeof sql>) => world.kernel.db.run(statement);
const setPolicy = (policy: string) =>
  run(sql`update connections set unknown_policy = ${policy} where id = ${connection_id}`);

interface Submitted {
  id: string;
  number: string;
  reference: number;
}

async function queue({ text = 'Hello', campaign_id = null as string | null } = {}) {
  const number = testNumber(next++);
  const { accepted } = await world.kernel.db.tx((tx) =>
    accept(tx, world.kernel, {
      ...{ account_id: company.account_id, channel: 'SMS', from: sender_id, campaign_id },
      ...{ source: campaign_id ? 'campaign' : 'api', refusal: 'throw', recipients: [{ to: number, text }] },
    }),
  );
  return { id: accepted[0]!.id, number };
}
/** Accepts a message and leaves it as a crash would: submitted, without a response. */
async function submit(fields: Parameters<typeof queue>[0] = {}): Promise<Submitted> {
  const queued = await queue(fields);
  return { ...queued, reference: await crash(queued.id) };
}
async function crash(id: string): Promise<number> {
  const reference = 1 + (next++ % 60_000);
  await run(sql`
    update dispatch set stage = 'submitting', attempt = attempt + 1, reference = ${reference},
      submit_date = now() - interval '1 hour', unknown_date = now() - interval '1 hour'
    where message_id = ${id}`);
  return reference;
}
/** Applies the connection's policy, because its grace period has passed. */
const decide = () => settleAmbiguous(world.kernel.db);
const report = (to: Submitted, fields: Partial<Report> = {}): Report => ({
  external_id: `id-${next++}`,
  status: 'delivered',
  state: 'DELIVERED',
  code: null,
  reference: to.reference,
  number: to.number,
  sender: code,
  detail: {},
  ...fields,
});
const arrive = async (...reports: Report[]) => {
  const batcher = createReportBatcher(world.kernel.db);
  await Promise.all(reports.map((entry) => batcher.add({ connection_id, report: entry })));
};
const respond = (to: Submitted, outcome: Partial<Outcome>) =>
  world.kernel.db.tx((tx) =>
    recordResponses(tx, connection_id, [
      {
        row: {
          ...{ account_id: company.account_id, message_id: to.id, attempt: 1, reference: to.reference },
          ...{ refusals: 0, sent_parts: [] as number[], number: to.number },
        } as unknown as Claimed,
        outcome: {
          parts: 1,
          accepted: [{ part: 1, external_id: `id-${next++}` }],
          failure: null,
          detail: {},
          ...outcome,
        },
      },
    ]),
  );
const message = (id: string) =>
  world.kernel.db.one<{ status: string; charge: string; failure: string | null; possible_duplicate: boolean }>(sql`
    select status, charge, failure, possible_duplicate from messages where id = ${id}`);
const isQueued = async (id: string) =>
  (await world.kernel.db.maybeOne(sql`select 1 from dispatch where message_id = ${id}`)) !== null;
const entries = async () =>
  (
    await world.kernel.db.rows<{ kind: string }>(
      sql`select kind from ledger where account_id = ${company.account_id} and kind <> 'top_up' order by id`,
    )
  ).map(({ kind }) => kind);
const available = async () =>
  (
    await world.kernel.db.one<{ micros: number }>(
      sql`select available_micros as micros from balances where account_id = ${company.account_id}`,
    )
  ).micros;
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

describe('a message that was given up', () => {
  test('is reopened and charged once when a receipt with its reference arrives', async () => {
    const submitted = await submit();
    await decide();
    expect(await message(submitted.id)).toMatchObject({ status: 'failed', failure: 'unknown', charge: 'released' });
    const receipt = report(submitted);
    await arrive(receipt);
    await arrive(receipt, report(submitted, { external_id: receipt.external_id, status: 'sent' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered', failure: null, charge: 'settled' });
    expect(await entries()).toEqual(['hold', 'release', 'resettle']);
    expect(await available()).toBe(FUNDS - PRICE);
    await expectSound();
  });

  test('is reopened as sent when its response arrives, and delivered by the receipt after it', async () => {
    const submitted = await submit();
    await decide();
    await respond(submitted, { accepted: [{ part: 1, external_id: 'late-response' }] });
    expect(await message(submitted.id)).toMatchObject({ status: 'sent', charge: 'settled' });
    await arrive(report(submitted, { external_id: 'late-response', reference: null }));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered', charge: 'settled' });
    expect(await available()).toBe(FUNDS - PRICE);
    await expectSound();
  });

  test('is rejected and not charged when its late response is a rejection', async () => {
    const submitted = await submit();
    await decide();
    await respond(submitted, { accepted: [], failure: { kind: 'rejected', code: '0x0B', text: 'Invalid number' } });
    expect(await message(submitted.id)).toMatchObject({ status: 'rejected', failure: 'rejected', charge: 'released' });
    expect(await available()).toBe(FUNDS);
    await expectSound();
  });

  test('stays failed and is charged when a receipt reports a failure after acceptance', async () => {
    const submitted = await submit();
    await decide();
    await arrive(report(submitted, { status: 'failed', state: 'UNDELIVERABLE', code: '001' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'failed', failure: 'rejected', charge: 'settled' });
    await expectSound();
  });

  test('is reopened by a receipt without a reference when it is about this sender and number', async () => {
    const submitted = await submit();
    await decide();
    await arrive(report(submitted, { reference: null, external_id: 'no-reference' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'failed' });
    await run(sql`
      update unmatched_reports set create_date = now() - interval '5 seconds' where external_id = 'no-reference'`);
    await settleAmbiguous(world.kernel.db);
    expect(await message(submitted.id)).toMatchObject({ status: 'sent', charge: 'settled' });
    await expectSound();
  });

  test('is reopened only when the receipts prove all of its parts, and is charged for the first', async () => {
    const submitted = await submit({ text: LONG_TEXT });
    await decide();
    await arrive(report(submitted));
    expect(await message(submitted.id)).toMatchObject({ status: 'failed', failure: 'unknown', charge: 'settled' });
    await arrive(report(submitted), report(submitted));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered', charge: 'settled' });
    expect(await available()).toBe(FUNDS - 3 * PRICE);
    await expectSound();
  });

  test('is charged even when its money has been spent, and the balance shows it', async () => {
    company = await makeCompany(world.kernel, { balance_micros: PRICE });
    ({ code, sender_id } = await makeSender(world.kernel, company.account_id));
    const submitted = await submit();
    await decide();
    await queue();
    expect(await available()).toBe(0);
    await arrive(report(submitted));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered', charge: 'settled' });
    expect(await available()).toBe(-PRICE);
    await expectSound();
  });

  test('stays failed when the evidence arrives after three days', async () => {
    const submitted = await submit();
    await decide();
    await run(sql`update unanswered_submissions set verdict_date = now() - interval '71 hours'`);
    await pruneUnanswered(world.kernel.db, 100);
    expect(await countUnanswered(submitted.id)).toBe(1);
    await run(sql`update unanswered_submissions set verdict_date = now() - interval '73 hours'`);
    await pruneUnanswered(world.kernel.db, 100);
    expect(await countUnanswered(submitted.id)).toBe(0);
    await arrive(report(submitted));
    expect(await message(submitted.id)).toMatchObject({ status: 'failed', charge: 'released' });
  });
});
const countUnanswered = async (id: string) =>
  (
    await world.kernel.db.one<{ n: number }>(
      sql`select count(*)::int as n from unanswered_submissions where message_id = ${id}`,
    )
  ).n;

describe('a message that is sent again', () => {
  const resend = async () => {
    await setPolicy('resend');
    const submitted = await submit();
    await decide();
    return submitted;
  };

  test('leaves the queue and is charged once when evidence about the first submission arrives', async () => {
    const submitted = await resend();
    expect(await message(submitted.id)).toMatchObject({ status: 'enroute', possible_duplicate: true });
    expect(await isQueued(submitted.id)).toBe(true);
    await arrive(report(submitted));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered', charge: 'settled' });
    expect(await isQueued(submitted.id)).toBe(false);
    expect(await entries()).toEqual(['hold', 'settle']);
  });

  test('is charged once and stays marked when it has already been sent a second time', async () => {
    const submitted = await resend();
    const second = { ...submitted, reference: await crash(submitted.id) };
    await arrive(report(second));
    await arrive(report(submitted), report(submitted, { status: 'failed' }));
    expect(await message(submitted.id)).toMatchObject({
      status: 'delivered',
      charge: 'settled',
      possible_duplicate: true,
    });
    expect(await entries()).toEqual(['hold', 'settle']);
  });

  test('is reopened by evidence when it has expired in the queue', async () => {
    const submitted = await resend();
    await run(sql`update dispatch set expire_date = now() where message_id = ${submitted.id}`);
    await expireQueued(world.kernel.db);
    expect(await message(submitted.id)).toMatchObject({ status: 'expired', failure: 'unknown', charge: 'released' });
    await arrive(report(submitted, { status: 'sent' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'sent', charge: 'settled' });
    expect(await entries()).toEqual(['hold', 'release', 'resettle']);
  });

  test('leaves the queue when a campaign retries it and evidence about the first submission arrives', async () => {
    const campaign_id = newId();
    const submitted = await submit({ campaign_id });
    await decide();
    const { account_id } = company;
    const request = { account_id, campaign_id, message_ids: [submitted.id], validity_seconds: 3_600 };
    expect(await world.kernel.db.tx((tx) => requeueFailed(tx, world.kernel, request))).toBe(1);
    await arrive(report(submitted));
    expect(await message(submitted.id)).toMatchObject({
      status: 'delivered',
      charge: 'settled',
      possible_duplicate: true,
    });
    expect(await isQueued(submitted.id)).toBe(false);
    expect(await available()).toBe(FUNDS - PRICE);
  });

  test('is not retried by its campaign when evidence arrived before the retry', async () => {
    const campaign_id = newId();
    const submitted = await submit({ campaign_id });
    await decide();
    await arrive(report(submitted, { status: 'sent' }));
    const { account_id } = company;
    const request = { account_id, campaign_id, message_ids: [submitted.id], validity_seconds: 3_600 };
    expect(await world.kernel.db.tx((tx) => requeueFailed(tx, world.kernel, request))).toBe(0);
    expect(await isQueued(submitted.id)).toBe(false);
  });
});

describe('a receipt without a message ID', () => {
  test('matches when its reference belongs to a message that was sent', async () => {
    const submitted = await submit();
    await respond(submitted, {});
    expect(await message(submitted.id)).toMatchObject({ status: 'sent' });
    await arrive(report(submitted, { external_id: '' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered', charge: 'settled' });
  });

  test('matches when the response contained no ID either', async () => {
    const submitted = await submit();
    await respond(submitted, { accepted: [{ part: 1, external_id: '' }] });
    await arrive(report(submitted, { external_id: '' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered' });
  });

  test('matches when the message is still waiting for its response', async () => {
    const submitted = await submit();
    await arrive(report(submitted, { external_id: '' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered', charge: 'settled' });
    await expectNoUnmatched();
  });

  test('confirms only one part when the message is long', async () => {
    const submitted = await submit({ text: LONG_TEXT });
    await respond(submitted, {
      parts: 3,
      accepted: [1, 2, 3].map((part) => ({ part, external_id: `p-${next}-${part}` })),
    });
    await arrive(report(submitted, { external_id: '' }), report(submitted, { external_id: '' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'sent' });
    await arrive(report(submitted, { external_id: '' }));
    expect(await message(submitted.id)).toMatchObject({ status: 'delivered' });
  });

  test('is kept as unmatched when its reference, number, or sender does not match a message', async () => {
    const submitted = await submit();
    await respond(submitted, {});
    await arrive(
      report(submitted, { external_id: '', reference: submitted.reference + 1 }),
      report(submitted, { external_id: '', number: '447999999999' }),
      report(submitted, { external_id: '', sender: 'Stranger' }),
      report(submitted, { external_id: '', reference: null }),
    );
    expect(await message(submitted.id)).toMatchObject({ status: 'sent' });
    expect((await world.kernel.db.rows(sql`select 1 from unmatched_reports where external_id = ''`)).length).toBe(4);
  });
});
const expectNoUnmatched = async () =>
  expect(await world.kernel.db.rows(sql`select 1 from unmatched_reports where external_id = ''`)).toEqual([]);
