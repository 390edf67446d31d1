import { event, type LiveEvent } from '@parley/contract/event.ts';
import { spend } from '@parley/contract/spend.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld, until, type World } from '../../test/world.ts';
import { newId } from '../clock.ts';
import { sql } from '../db/db.ts';
import { emit } from './events.ts';
import { Live } from './live.ts';
import { startSequencer } from './sequencer.ts';

const noteEvent = event({
  id: 'thing.noted',
  modules: ['things'],
  needs: 'AUDIENCES:view',
  payload: z.object({ n: z.int() }),
});
const whispered = event({
  id: 'thing.whispered',
  modules: ['things'],
  needs: null,
  payload: z.object({ to: z.string() }),
  visible: (payload, viewer) => payload.to === viewer.user_id,
});
const paidEvent = event({
  id: 'thing.paid',
  modules: ['things'],
  needs: null,
  payload: z.object({ text: z.string(), paid: spend(z.int()) }),
});

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'none' });
});
afterAll(() => world.stop());

const boom = (error: unknown) => {
  throw error;
};

async function listening<T>(work: (live: Live) => Promise<T>): Promise<T> {
  const sequencer = startSequencer(world.kernel.db, boom);
  const live = new Live(world.kernel.db, [noteEvent, whispered, paidEvent], boom);
  await live.start();
  try {
    return await work(live);
  } finally {
    await live.stop();
    await sequencer.stop();
  }
}

const open = { user_id: 'me', permissions: { AUDIENCES: 1 } };

describe('the live stream', () => {
  it('does not miss or repeat events with 16 writers and readers that connect and disconnect', async () => {
    const { db } = world.kernel;
    const account_id = newId();
    await listening(async (live) => {
      const writtenNumbers = new Set<number>();
      let next = 0;
      const writer = async () => {
        for (let round = 0; round < 25; round++) {
          const ownNumbers: number[] = [];
          await db.tx(async (tx) => {
            for (let count = 1 + Math.floor(Math.random() * 3); count > 0; count--) {
              const n = next++;
              ownNumbers.push(n);
              emit(tx, noteEvent, account_id, { n });
              // Transactions overlap and commit in a different order than they began.
              await tx.run(sql`select pg_sleep(${Math.random() * 0.01})`);
            }
          });
          for (const n of ownNumbers) writtenNumbers.add(n);
        }
      };
      // The stream keeps events only for a limited time. The readers in this test start before that period, so the
      // limit is moved back.
      await db.run(sql`update event_position set kept_since = '1999-01-01'`);
      let writing = true;
      const readers = Array.from({ length: 4 }, async () => {
        const received: number[] = [];
        let last: string | null = '2000-01-01 00:00:00';
        const times: string[] = [];
        const visit = async (ms: number) => {
          const leave = await live.subscribe(
            {
              account_id,
              viewer: () => open,
              send: (event: LiveEvent) => {
                received.push((event.data as { n: number }).n);
                times.push(event.timestamp);
                last = event.timestamp;
              },
              resync: () => boom(new Error('unexpected resync')),
            },
            last,
          );
          await new Promise((resolve) => setTimeout(resolve, ms));
          leave();
        };
        while (writing) await visit(Math.random() * 60);
        await until('the last events', async () => {
          await visit(30);
          return new Set(received).size >= writtenNumbers.size;
        });
        return { received, times };
      });
      await Promise.all(Array.from({ length: 16 }, writer));
      writing = false;
      for (const { received, times } of await Promise.all(readers)) {
        expect([...received].sort((a, b) => a - b)).toEqual([...writtenNumbers].sort((a, b) => a - b));
        expect(times).toEqual([...times].sort());
        expect(new Set(times).size).toBe(times.length);
      }
    });
  });

  it('delivers each event only to sessions with the required permission', async () => {
    const { db } = world.kernel;
    const account_id = newId();
    await listening(async (live) => {
      const received: string[] = [];
      let permissions: Record<string, number> = { AUDIENCES: 1 };
      const leave = await live.subscribe(
        {
          account_id,
          viewer: () => ({ user_id: 'me', permissions }),
          send: (event) => received.push(`${event.event_type} ${JSON.stringify(event.data)}`),
          resync: () => {},
        },
        null,
      );
      const emitNumber = async (n: number) =>
        db.tx(async (tx) => {
          emit(tx, noteEvent, account_id, { n });
          emit(tx, noteEvent, newId(), { n: -1 });
          emit(tx, noteEvent, account_id, { n: -2 }, { live: false });
          emit(tx, whispered, account_id, { to: 'me' });
          emit(tx, whispered, account_id, { to: 'another user' });
        });
      await emitNumber(1);
      await until('the first', () => received.length === 2);
      permissions = {};
      await emitNumber(2);
      await until('the second', () => received.length === 3);
      leave();
      expect(received).toEqual(['thing.noted {"n":1}', 'thing.whispered {"to":"me"}', 'thing.whispered {"to":"me"}']);
    });
  });

  it('sends a resync when the requested position is no longer available', async () => {
    const { db } = world.kernel;
    await db.run(sql`update event_position set kept_since = now()`);
    await listening(async (live) => {
      let resyncs = 0;
      const leave = await live.subscribe(
        { account_id: newId(), viewer: () => open, send: () => {}, resync: () => resyncs++ },
        '2001-01-01 00:00:00',
      );
      leave();
      expect(resyncs).toBe(1);
    });
  });

  it('sends a resync and continues with new events when the database has lost the position', async () => {
    const { db } = world.kernel;
    const account_id = newId();
    await listening(async (live) => {
      const received: string[] = [];
      const leave = await live.subscribe(
        {
          account_id,
          viewer: () => open,
          send: (event) => received.push(JSON.stringify(event.data)),
          resync: () => received.push('resync'),
        },
        null,
      );
      const note = (n: number) => db.tx(async (tx) => emit(tx, noteEvent, account_id, { n }));
      await note(1);
      await until('the first', () => received.length === 1);
      // Simulates a failover to a replica that was behind: the sequence restarts before the position of the reader.
      await db.run(sql`delete from events`);
      await db.run(sql`delete from event_positions`);
      await db.run(sql`update event_position set seq = 0, epoch = epoch + 1`);
      await until('the resync', () => received.length === 2);
      await note(2);
      await until('the second', () => received.length === 3);
      leave();
      expect(received).toEqual(['{"n":1}', 'resync', '{"n":2}']);
    });
  });

  it('sends a resync when the requested position is ahead of the database', async () => {
    await listening(async (live) => {
      let resyncs = 0;
      const subscriber = { account_id: newId(), viewer: () => open, send: () => {}, resync: () => resyncs++ };
      const leave = await live.subscribe(subscriber, '2999-01-01 00:00:00');
      leave();
      expect(resyncs).toBe(1);
    });
  });

  it('delivers an event of a process of the previous release, which does not queue its events', async () => {
    const { db } = world.kernel;
    const account_id = newId();
    await listening(async (live) => {
      const received: unknown[] = [];
      const leave = await live.subscribe(
        {
          account_id,
          viewer: () => open,
          send: (event) => received.push(event.data),
          resync: () => {},
        },
        null,
      );
      await db.run(sql`
        insert into events (account_id, id, type, payload, live)
        values (${account_id}, ${newId()}, ${noteEvent.id}, '{"n":1}', true)`);
      await until('the event', () => received.length === 1);
      leave();
      expect(received).toEqual([{ n: 1 }]);
      // The previous release would assign a second position.
      expect(await db.run(sql`update events set seq = 1 where account_id = ${account_id}`)).toBe(0);
    });
  });

  it('serializes an event once for all streams, and hides spending from viewers without permission', async () => {
    const { db } = world.kernel;
    const account_id = newId();
    await listening(async (live) => {
      const frames: string[] = [];
      const join = (permissions: Record<string, number>) =>
        live.subscribe(
          {
            account_id,
            viewer: () => ({ user_id: 'me', permissions }),
            send: (event) => frames.push(event.frame),
            resync: () => {},
          },
          null,
        );
      const leave = [await join({ PAYMENTS: 1 }), await join({ PAYMENTS: 1 }), await join({})];
      await db.tx(async (tx) => emit(tx, paidEvent, account_id, { text: 'a\nb', paid: 5 }));
      await until('the frames', () => frames.length === 3);
      for (const end of leave) end();
      const [complete, same, reduced] = frames;
      expect(same).toBe(complete);
      expect(complete).toMatch(
        /^id: \d+\ndata: \{"event_type":"thing.paid".+"data":\{"text":"a\\nb","paid":5\}\}\n\n$/,
      );
      expect(JSON.parse(reduced!.split('data: ')[1]!)).toMatchObject({ data: { text: 'a\nb', paid: null } });
    });
  });

  it('never delivers an event from a rolled-back transaction', async () => {
    const { db } = world.kernel;
    const account_id = newId();
    await expect(
      db.tx(async (tx) => {
        emit(tx, noteEvent, account_id, { n: 1 });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await db.rows(sql`select 1 from events where account_id = ${account_id}`)).toEqual([]);
  });
});
