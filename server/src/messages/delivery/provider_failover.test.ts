/**
 * A campaign over three providers, one of which dies in the middle: everyone gets one message, and the switch is
 * visible. `npm run soak` sends 20,000 messages.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { openCarrier } from '../../test/carrier.ts';
import { makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { addRate, connectProvider, listProviders, SENDER } from '../../test/peers/sandbox_providers.ts';
import { openTunnel, type Tunnel } from '../../test/peers/tunnel.ts';
import { isSoak } from '../../test/soak/soak.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { accept } from '../messages.ts';
import { Rerouter } from '../routing/reroute.ts';
import { forgetRoutes } from '../routing/route_book.ts';

const COUNT = isSoak ? 20_000 : 300;
const BATCH = 1_000;
const PATIENCE_MS = isSoak ? 1_800_000 : 60_000;
/** The name of each connection and its share of the messages. */
const SHARES = { twilio: 50, plivo: 30, sinch: null } as const;
/** The provider that dies. */
const MORTAL = 'twilio';
let world: World;
let tunnel: Tunnel;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  tunnel = await openTunnel(Number(new URL(world.sandbox!.url).port));
  await addRate(world, 10);
  for (const provider of await listProviders(world.sandbox!)) {
    const percentage = SHARES[provider.name as keyof typeof SHARES];
    if (percentage === undefined) continue;
    await connectProvider(world, provider, {
      origin: provider.name === MORTAL ? `http://127.0.0.1:${tunnel.port}` : world.sandbox!.url,
      settings: { window: 10, throughput: isSoak ? null : 100 },
      ...{ unknown_policy: 'resend', grace_seconds: 3, percentage },
    });
  }
  forgetRoutes(world.kernel.db);
});
afterAll(async () => {
  tunnel?.cut();
  await world?.stop();
});

test(
  'a campaign reaches everyone once when a provider dies in the middle',
  async () => {
    const { db } = world.kernel;
    const company = await makeCompany(world.kernel);
    const { account_id } = company;
    const { sender_id } = await makeSender(world.kernel, account_id, { code: SENDER });
    await until('the binds are up', async () => {
      const { up } = await db.one<{ up: number }>(sql`select count(*)::int as up from binds where state = 'bound'`);
      return up === 3;
    });
    forgetRoutes(db);
    const numbers = Array.from({ length: COUNT }, (_, index) => testNumber(index));
    for (let at = 0; at < COUNT; at += BATCH)
      await db.tx((tx) =>
        accept(tx, world.kernel, {
          ...{ account_id, channel: 'SMS', from: sender_id, source: 'campaign', refusal: 'throw' },
          recipients: numbers.slice(at, at + BATCH).map((to) => ({ to, text: 'Sale' })),
        }),
      );
    const count = async (condition: ReturnType<typeof sql>) =>
      (
        await db.one<{ n: number }>(sql`
      select count(*)::int as n from messages m left join connections c on c.id = m.connection_id
      where m.account_id = ${account_id} and ${condition}`)
      ).n;
    const shares = await Promise.all(Object.keys(SHARES).map((name) => count(sql`c.name = ${name}`)));
    expect(shares[0]).toBeGreaterThan(shares[1]!);
    expect(shares[1]).toBeGreaterThan(shares[2]! / 2);

    await until(
      'the first provider has sent a part',
      async () => (await count(sql`c.name = 'twilio' and m.status in ('sent', 'delivered')`)) > COUNT / 20,
    );
    tunnel.cut();
    const rerouter = new Rerouter(db, 0);
    await until(
      'all messages that were not at the first provider are delivered',
      async () => {
        await rerouter.run();
        const { open } = await db.one<{ open: number }>(sql`
      select count(*)::int as open from dispatch where stage = 'submitting' and worker_id is null`);
        return (await count(sql`m.status = 'delivered'`)) + open === COUNT;
      },
      PATIENCE_MS,
    );
    // The rest may have been sent, so it waits for the first provider.
    tunnel.reopen();
    const isDone = async () => (await count(sql`m.status = 'delivered'`)) === COUNT;
    await until('everyone has the message', isDone, PATIENCE_MS);

    const sent = (await openCarrier(world).accepted()).map(({ to }) => to);
    expect(sent).toHaveLength(COUNT);
    expect(new Set(sent)).toEqual(new Set(numbers));
    const moved = await db.rows<{ id: string; name: string }>(sql`
    select m.id, c.name from messages m join connections c on c.id = m.connection_id
    where m.account_id = ${account_id} and m.timeline::text like '%twilio did not get the message%' limit 1`);
    expect(moved).toHaveLength(1);
    expect(moved[0]!.name).not.toBe('twilio');
    const { decisions } = (await world.as(company.token).get(`/v1/messages/${moved[0]!.id}`)).body.data;
    expect(decisions.find(({ rule }: { rule: string }) => rule === 'route').values).toMatchObject({
      ...{ connection: 'twilio', reason: expect.stringContaining('a share of 50%') },
      failover: [`${moved[0]!.name}, because twilio could not send`],
    });
    // Autovacuum has not seen the new rows yet, and the checks read all of them.
    await db.run(sql`analyze`);
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  },
  PATIENCE_MS + 120_000,
);
