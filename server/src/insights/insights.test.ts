/**
 * Compares the dashboard with the messages: days follow the account's time zone, and no message is counted twice or
 * missed.
 */

import { randomUUID } from 'node:crypto';
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idAt } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { findMark } from '../messages/messages.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { countSlots } from './slots.ts';

const DAY = 86_400_000;
let world: World;
let company: Company;
let sender: { sender_id: string; code: string };
/** A zone with a half-hour offset, so that its midnights do not fall on a full hour in UTC. */
const ZONE = 'Asia/Kolkata';

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { timezone: ZONE });
  sender = await makeSender(world.kernel, company.account_id);
});
afterAll(() => world.stop());

interface MessageInput {
  at: Date;
  status?: string;
  direction?: 'MT' | 'MO';
  channel?: string;
  price?: number;
  charge?: string;
}
let messageCount = 0;
async function insertMessage({
  at,
  status = 'delivered',
  direction = 'MT',
  channel = 'SMS',
  price = 0,
  charge = 'none',
}: MessageInput) {
  // Builds an id for that time, because `newId` never goes back in time within a process.
  const id = `${idAt(at.getTime()).slice(0, 14)}7${randomUUID().slice(15)}`;
  const number = `4474100${String(++messageCount).padStart(5, '0')}`;
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                          segments_count, encoding, price_micros, currency, charge, source, create_date)
    values (${company.account_id}, ${id}, ${direction}, ${channel}, ${status}, ${sender.sender_id}, ${sender.code},
            ${number}, ${number}, 'GB', 'Hello', 1, 'GSM-7', ${price}, 'USD', ${charge},
            ${direction === 'MT' ? 'api' : 'phone'}, ${at})`);
  return id;
}
const readDashboard = async (days: number | null = null, token = company.token): Promise<Dashboard> =>
  (await world.as(token).get(`/v1/dashboard${days ? `?days=${days}` : ''}`)).body.data;

/** Returns midnight in the zone, `back` days ago. */
const midnight = (daysAgo: number): Date => {
  const local = new Date(Date.now() + 5.5 * 3_600_000);
  return new Date(
    Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() - daysAgo) - 5.5 * 3_600_000,
  );
};
const formatDate = (at: Date): string => new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10);

test('the dashboard shows zeros and the setup steps when an account has no messages', async () => {
  const empty = await readDashboard();
  expect(empty.days).toHaveLength(7);
  expect(empty.days.at(-1)?.date).toBe(formatDate(new Date()));
  expect(empty.total).toEqual({ sent: 0, delivered: 0, failed: 0, received: 0, spend_micros: 0 });
  expect(empty.channels).toEqual([]);
  expect(empty.steps).toMatchObject({
    phone: true,
    verified: true,
    sender: true,
    contacts: false,
    campaign: false,
    team: false,
  });
});

test('days follow the time zone, and totals match before and after messages are aggregated into slots', async () => {
  await insertMessage({ at: new Date(midnight(3).getTime() - 1_000), price: 7, charge: 'settled' });
  await insertMessage({ at: midnight(3), price: 40_000, charge: 'settled' });
  await insertMessage({
    at: new Date(midnight(3).getTime() + 60_000),
    status: 'failed',
    price: 40_000,
    charge: 'released',
  });
  await insertMessage({ at: new Date(midnight(3).getTime() + 60_000), direction: 'MO', status: 'received' });
  await insertMessage({
    at: new Date(midnight(2).getTime() + DAY / 2),
    channel: 'VIBER',
    status: 'read',
    price: 9,
    charge: 'settled',
  });
  await insertMessage({ at: new Date(midnight(5).getTime() + 5_000), status: 'canceled' });
  const open = await insertMessage({
    at: new Date(midnight(4).getTime() + 5_000),
    status: 'sent',
    price: 3,
    charge: 'settled',
  });
  await insertMessage({ at: midnight(0), status: 'enroute', price: 5, charge: 'held' });
  await insertMessage({ at: new Date(midnight(9).getTime() + 5_000), price: 11, charge: 'settled' });

  const before = await readDashboard(7);
  const day = (from: Dashboard, daysAgo: number) =>
    from.days.find(({ date }) => date === formatDate(midnight(daysAgo)));
  expect(day(before, 3)).toMatchObject({ sent: 2, delivered: 1, failed: 1, received: 1, spend_micros: 40_000 });
  expect(day(before, 4), 'the last second before midnight counts for the previous day').toMatchObject({
    sent: 2,
    delivered: 1,
    spend_micros: 10,
  });
  expect(day(before, 0)).toMatchObject({ sent: 1, delivered: 0, spend_micros: 0 });
  expect(before.total).toEqual({ sent: 6, delivered: 3, failed: 1, received: 1, spend_micros: 40_019 });
  expect(before.before).toMatchObject({ sent: 1, spend_micros: 11 });
  expect(before.channels.map(({ channel, sent }) => [channel, sent])).toEqual([
    ['SMS', 5],
    ['VIBER', 1],
  ]);
  expect(before.steps.delivered).toBe(true);

  await Promise.all([countSlots(world.kernel.db), countSlots(world.kernel.db)]);
  const mark = await findMark(world.kernel.db, company.account_id);
  const age_hours = (Date.now() - mark!.getTime()) / 3_600_000;
  expect(Math.floor(age_hours), 'the last 14 hours are counted from messages, not from slots').toBe(14);
  for (const days of [7, 30, 90]) {
    const after = await readDashboard(days);
    expect(after.days).toHaveLength(days);
    expect(after.days.slice(-7), 'slots and messages have the same totals').toEqual(before.days);
  }
  expect((await readDashboard(30)).total.sent).toBe(7);

  // A message reaches its final status after the count. The figures change immediately, and the next count keeps them.
  await world.kernel.db.run(sql`update messages set status = 'delivered' where id = ${open}`);
  expect(day(await readDashboard(), 4)).toMatchObject({ delivered: 2 });
  await countSlots(world.kernel.db);
  expect(day(await readDashboard(), 4)).toMatchObject({ delivered: 2 });
  // The same applies to an inbound message that the carrier delivers days later into an empty slot.
  const today = new Date();
  await insertMessage({ at: new Date(today.getTime() - 4 * DAY), direction: 'MO', status: 'received' });
  await countSlots(world.kernel.db, undefined, today);
  expect(day(await readDashboard(), 4)).toMatchObject({ received: 1 });
  await insertMessage({ at: new Date() });
  expect(day(await readDashboard(), 0)).toMatchObject({ sent: 2, delivered: 1 });

  // After an account changes its time zone, its messages appear in the days of the new zone.
  await world.kernel.db.run(sql`update accounts set timezone = 'UTC' where id = ${company.account_id}`);
  const moved = await readDashboard(30);
  expect(moved.total.sent).toBe(8);
  expect(moved.days.at(-1)?.date).toBe(new Date().toISOString().slice(0, 10));
  await world.kernel.db.run(sql`update accounts set timezone = ${ZONE} where id = ${company.account_id}`);
});

test("the dashboard shows only values from the user's account that their permissions allow", async () => {
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  expect((await readDashboard(7, agent.token)).total).toMatchObject({ sent: 7, spend_micros: 0 });
  const finance = await makeUser(world.kernel, company.account_id, { permissions: { PAYMENTS: 1 } });
  expect((await readDashboard(7, finance.token)).total).toMatchObject({ sent: 0, received: 0, spend_micros: 40_019 });
  const stranger = await makeCompany(world.kernel);
  expect((await readDashboard(90, stranger.token)).total.sent).toBe(0);
  expect((await world.as(company.token).get('/v1/dashboard?days=8')).status).toBe(400);
  expect((await readDashboard()).steps.team).toBe(true);
});

test('the dashboard hides all figures until the user finishes setup', async () => {
  const { db } = world.kernel;
  expect((await readDashboard()).total.sent).toBe(7);
  await db.run(sql`update accounts set second_factor_required = true where id = ${company.account_id}`);
  const waiting = await readDashboard();
  expect(waiting.total).toMatchObject({ sent: 0, delivered: 0, failed: 0, received: 0, spend_micros: 0 });
  expect(waiting.days.every((day) => day.sent === 0 && day.spend_micros === 0)).toBe(true);
  await db.run(sql`update accounts set second_factor_required = false where id = ${company.account_id}`);
  await db.run(sql`update logins set status = 'EMAIL_VERIFIED' where id = ${company.user_id}`);
  expect((await readDashboard()).total).toMatchObject({ sent: 0, received: 0, spend_micros: 0 });
  await db.run(sql`update logins set status = 'PHONE_VERIFIED' where id = ${company.user_id}`);
  expect((await readDashboard()).total.sent).toBe(7);
});
