/**
 * Measures inbound messages from the carrier's deliver_sm until an open page shows them: alone, and with another
 * company with many conversations. The baseline is one plain INSERT per 200 messages into a copy of the messages table,
 * with the same durability.
 */
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCarrier, makeCompany, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { type BoundSession, createSmppServer, type SmppServer } from '@parley/smpp/server.ts';
import { openStream } from './event_stream.ts';
import { percentile, type Result, type Rig, secondsSince, until } from './rig.ts';

const MESSAGES = Number(process.env.BENCH_INBOUND ?? 6_000);
const CONVERSATIONS = Number(process.env.BENCH_CONVERSATIONS ?? 100_000);
const PACED = 300;
const PACE_MS = 20;
const WINDOW = 400;
const BATCH = 200;

interface Cost {
  per_second: number;
  cpu_us: number;
  wal: number;
  pages: number;
}

export interface Line {
  server: SmppServer;
  session: BoundSession;
}

export async function inbound(rig: Rig): Promise<Result[]> {
  const line = await connect(rig);
  const company = await makeCompany(rig.kernel);
  const { code } = await makeSender(rig.kernel, company.account_id);
  const messages = inboundMessages(line.session, code);
  try {
    await messages.send(500);
    const alone = await measure(rig, MESSAGES, messages.send);
    const plain = await measure(rig, MESSAGES, (count) => insertPlainly(rig, company.account_id, count));
    await fillOtherCompany(rig);
    const beside = await measure(rig, MESSAGES, messages.send);
    const waits = await measureWaits(rig, company.token, messages.send);
    const [p50, p99] = [percentile(waits, 50), percentile(waits, 99)];
    const others = `with ${CONVERSATIONS.toLocaleString('en-US')} conversations of another company`;
    return [
      {
        name: `Inbound messages, ${others}`,
        parley: format(beside),
        baseline: `alone ${format(alone)}`,
        ratio: (beside.cpu_us / alone.cpu_us).toFixed(2),
        target: 'at most 1.5 times the CPU time and the pages, and under 1 ms of CPU time',
        met: beside.cpu_us < 1.5 * alone.cpu_us && beside.pages < 1.5 * alone.pages && beside.cpu_us < 1_000,
      },
      {
        name: 'Inbound messages, compared with a plain INSERT',
        parley: format(alone),
        baseline: `plain INSERT ${format(plain)}`,
        ratio: (alone.cpu_us / plain.cpu_us).toFixed(1),
        target: 'at most 12',
        met: alone.cpu_us / plain.cpu_us <= 12,
      },
      {
        name: `Time from the carrier until an open page hears of the message, ${others}`,
        parley: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
        baseline: `${1_000 / PACE_MS} messages per second`,
        ratio: '-',
        target: 'p99 under 250 ms',
        met: p99 < 250,
      },
    ];
  } finally {
    await line.server.close();
  }
}

const format = ({ per_second, cpu_us, wal, pages }: Cost): string =>
  `${per_second.toFixed(0)}/s, ${cpu_us.toFixed(0)} us CPU, ${wal.toFixed(0)} bytes of WAL, and ${pages.toFixed(0)} ` +
  'pages per message';

export async function connect(rig: Rig): Promise<Line> {
  const bound = Promise.withResolvers<BoundSession>();
  const server = createSmppServer({ authenticate: () => 0, window: WINDOW, onBound: bound.resolve });
  await makeCarrier(rig.kernel, { port: await server.listen(0, '127.0.0.1') });
  return { server, session: await bound.promise };
}

/** Each message comes from another phone, so every one opens a conversation. */
export function inboundMessages(session: BoundSession, code: string) {
  let next = 0;
  return {
    async send(count: number, onAnswer?: (text: string) => void): Promise<void> {
      let left = count;
      const sender = async () => {
        while (left-- > 0) {
          const n = next++;
          const text = `Is order ${n} ready?`;
          onAnswer?.(text);
          const { command_status } = await session.deliver({
            source_addr: testNumber(n),
            destination_addr: code,
            short_message: Buffer.from(text),
          });
          if (command_status !== 0) throw new Error(`deliver_sm was answered with status ${command_status}`);
        }
      };
      await Promise.all(Array.from({ length: Math.min(WINDOW, count) }, sender));
    },
  };
}

/** The generator is this process, and its CPU time is not counted. */
async function measure(rig: Rig, count: number, work: (count: number) => Promise<void>): Promise<Cost> {
  await rig.kernel.db.run(sql`vacuum analyze`);
  const before = await readUse(rig);
  const startedAt = performance.now();
  await work(count);
  const seconds = secondsSince(startedAt);
  // The events of the last messages get their positions, and the server reports its use of pages once per second.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const after = await readUse(rig);
  return {
    per_second: count / seconds,
    cpu_us: ((after.cpu - before.cpu) / count) * 1e6,
    wal: (after.wal - before.wal) / count,
    pages: (after.pages - before.pages) / count,
  };
}

async function readUse(rig: Rig): Promise<{ cpu: number; wal: number; pages: number }> {
  const use = await rig.kernel.db.one<{ wal: number; pages: number }>(sql`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal,
      (select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0))
       from pg_statio_user_tables)::float8 as pages`);
  return { ...use, cpu: await rig.cpuSeconds() };
}

async function insertPlainly(rig: Rig, account_id: string, count: number): Promise<void> {
  await rig.kernel.db.run(sql`create table if not exists plain_messages (like messages including all)`);
  for (let done = 0; done < count; done += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - done) }, (_, n) => done + n);
    await rig.kernel.db.run(sql`
      insert into plain_messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
                                  text, segments_count, encoding, currency, source)
      select ${account_id}, id, 'MO', 'SMS', 'received', ${account_id}, number, 'code', number, 'GB', text, 1, 'GSM-7',
             'USD', 'phone'
      from unnest(${rows.map(() => newId())}::uuid[], ${rows.map(testNumber)}::text[],
                  ${rows.map((n) => `Is order ${n} ready?`)}::text[]) as t(id, number, text)`);
  }
}

async function fillOtherCompany(rig: Rig): Promise<void> {
  const { account_id } = await makeCompany(rig.kernel);
  const { sender_id } = await makeSender(rig.kernel, account_id);
  await fillConversations(rig, account_id, sender_id, CONVERSATIONS);
}

export async function fillConversations(rig: Rig, account_id: string, sender_id: string, count: number): Promise<void> {
  await rig.kernel.db.run(sql`
    with phones as (
      select gen_random_uuid() as conversation_id, gen_random_uuid() as message_id, (447500000000 + n)::text as number
      from generate_series(1, ${count}::int) n
    ), stored as (
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                            segments_count, encoding, currency, source)
      select ${account_id}, message_id, 'MO', 'SMS', 'received', ${sender_id}, number, 'code', number, 'GB', 'Hello', 1,
             'GSM-7', 'USD', 'phone' from phones
    )
    insert into conversations (account_id, id, channel, sender_id, number, "timestamp", last_message_id)
    select ${account_id}, conversation_id, 'SMS', ${sender_id}, number, now(), message_id from phones`);
}

/** Returns the milliseconds until an open page got the event of each message. */
async function measureWaits(
  rig: Rig,
  token: string,
  send: (count: number, onSend: (text: string) => void) => Promise<void>,
): Promise<number[]> {
  const sent = new Map<string, number>();
  const waits: number[] = [];
  const stream = await openStream(rig.url, token, (frame) => {
    const now = performance.now();
    if (!frame.includes('"message.created"')) return;
    const text = /Is order \d+ ready\?/.exec(frame)?.[0] ?? '';
    const startedAt = sent.get(text);
    if (startedAt === undefined) return;
    sent.delete(text);
    waits.push(now - startedAt);
  });
  try {
    const answers: Promise<void>[] = [];
    for (let n = 0; n < PACED; n++) {
      answers.push(send(1, (text) => sent.set(text, performance.now())));
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
    await Promise.all(answers);
    await until('the page hears of every message', async () => waits.length === PACED, 20_000);
    return waits;
  } finally {
    stream.close();
  }
}
