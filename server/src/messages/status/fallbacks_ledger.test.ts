/**
 * Applies reports, timers, and submissions in random order and concurrently, and checks all invariants and the ledger
 * after each change.
 */

import type { MessageFallbackStep } from '@parley/contract/messages/details.ts';
import type { Status } from '@parley/contract/messages/statuses.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender } from '../../test/chat.ts';
import { ANNA, BRUNO, createGate, FUNDS, type Gate } from '../../test/gate.ts';
import { sample } from '../../test/soak/soak.ts';
import { makeTemplate } from '../../test/templates.ts';
import { applyStatuses, type Change } from '../messages.ts';
import { loadSteps } from '../model/fallback_rows.ts';
import { passOnDue } from './fallback_timers.ts';

let gate: Gate;
let viber: ChatSender;
let whatsapp: ChatSender;
let sms: string;
beforeAll(async () => {
  gate = await createGate();
  const { kernel } = gate.world;
  sms = (await kernel.db.one<{ id: string }>(sql`select id from connections where channel = 'SMS'`)).id;
});
afterAll(() => gate.world.stop());

const db = () => gate.world.kernel.db;

async function twoMessages(triggers: readonly string[]): Promise<string[]> {
  await gate.renew();
  const { account_id } = gate.company;
  viber = await makeChatSender(gate.world.kernel, account_id, 'VIBER');
  whatsapp = await makeChatSender(gate.world.kernel, account_id, 'WHATSAPP');
  const template = await makeTemplate(gate.world.kernel, account_id, {
    ...{ channel: 'WHATSAPP', sender_id: whatsapp.sender_id, external_id: '1' },
  });
  const [first, second] = triggers.map((trigger) => ({ trigger, wait_seconds: 60 }));
  const reply = await gate.api.post('/v1/messages', {
    ...{ from: whatsapp.sender_id, channel: 'WHATSAPP', to: [ANNA, BRUNO], template, variables: ['you'] },
    fallbacks: [
      { channel: 'VIBER', from: viber.sender_id, text: 'By Viber', ...first },
      { channel: 'SMS', from: gate.code, text: 'By SMS', ...second },
    ],
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data.map(({ id }: { id: string }) => id);
}

const CHANNELS = ['WHATSAPP', 'VIBER', 'SMS'] as const;
type Report = { index: number; place: number; status: Status; accepted: boolean };
type Act = { reports: Report[] } | { minutes: number } | { submit: number };

const report = fc.record({
  index: fc.nat(1),
  place: fc.nat(2),
  status: fc.constantFrom<Status>('sent', 'sent', 'delivered', 'read', 'failed', 'rejected', 'unsubscribed'),
  accepted: fc.boolean(),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ reports: fc.array(report, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ minutes: fc.constantFrom(1, 2, 1_441) }) },
  { weight: 1, arbitrary: fc.record({ submit: fc.nat(1) }) },
);

/**
 * Converts reports to changes and drops those from carriers that do not have the message. A carrier that has already
 * reported on the message has accepted it.
 */
async function toChanges(ids: readonly string[], reports: readonly Report[]): Promise<Change[]> {
  const { account_id } = gate.company;
  const changes: Change[] = [];
  for (const { index, place, status, accepted } of reports) {
    const message_id = ids[index]!;
    const step = (await loadSteps(db(), account_id, message_id)).find(({ channel }) => channel === CHANNELS[place])!;
    if (step.status === null) continue;
    const connection_id = [whatsapp.connection_id, viber.connection_id, sms][place]!;
    const isAccepted = step.status !== 'enroute';
    changes.push({
      account_id,
      message_id,
      status,
      source: 'carrier',
      connection_id,
      accepted: accepted || isAccepted,
      text: status,
    });
  }
  return changes;
}

async function perform(ids: readonly string[], action: Act): Promise<void> {
  if ('reports' in action) {
    const changes = await toChanges(ids, action.reports);
    // The same report arrives over two binds while another worker checks for due messages.
    const apply = (list: readonly Change[]) => db().tx((tx) => applyStatuses(tx, list));
    await Promise.all([apply(changes), apply(changes.toReversed()), passOnDue(db())]);
  } else if ('minutes' in action) {
    await db().run(sql`
      update messages set expire_date = expire_date - ${action.minutes} * interval '1 minute'
      where account_id = ${gate.company.account_id}`);
    await db().run(sql`
      update fallbacks set due_date = due_date - ${action.minutes} * interval '1 minute', steps = (
        select jsonb_agg(step || jsonb_build_object(
          'handed', (step->>'handed')::float8 - ${action.minutes} * 60000,
          'queued', (step->>'queued')::float8 - ${action.minutes} * 60000) order by n)
        from jsonb_array_elements(steps) with ordinality as l(step, n))
      where account_id = ${gate.company.account_id}`);
    await Promise.all([passOnDue(db()), passOnDue(db())]);
  } else
    await db().run(sql`
      update dispatch set stage = 'submitting', unknown_date = now(), submit_date = now(), attempt = attempt + 1
      where message_id = ${ids[action.submit]!} and stage = 'queued'`);
}

const trigger = fc.constantFrom('failed', 'undelivered', 'unread');

test('every invariant holds after each change, and the ledger matches the messages', async () => {
  await fc.assert(
    fc.asyncProperty(trigger, trigger, fc.array(act, { minLength: 2, maxLength: 9 }), async (first, second, acts) => {
      const ids = await twoMessages([first, second]);
      const starts = new Map<string, number>();
      for (const action of acts) {
        await perform(ids, action);
        await gate.expectSound();
        const messages = await db().rows<{
          id: string;
          price_micros: number;
          charge: string;
          steps: MessageFallbackStep[];
        }>(sql`
          select m.id, m.price_micros, m.charge, f.steps from messages m join fallbacks f on f.account_id = m.account_id
            and f.message_id = m.id
          where m.account_id = ${gate.company.account_id} and m.direction = 'MT'`);
        const sum = (charge: string) =>
          messages.reduce((all, message) => all + (message.charge === charge ? message.price_micros : 0), 0);
        expect(await gate.balance()).toMatchObject({
          held_micros: sum('held'),
          available_micros: FUNDS - sum('held') - sum('settled'),
        });
        // Each step starts at most once, so the timeline has at most one entry for its start.
        const entries = await db().rows<{ key: string; n: number }>(sql`
          select m.id || ' ' || (entry->>'leg') as key, count(*)::int as n from messages m cross
          join jsonb_array_elements(m.timeline) entry
          where m.account_id = ${gate.company.account_id} and entry->>'leg_state' = 'in_effect' group by 1`);
        for (const { key, n } of entries) starts.set(key, n);
        expect([...starts.values()].every((n) => n === 1)).toBe(true);
      }
    }),
    sample(10, 200),
  );
});
