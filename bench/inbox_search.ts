/**
 * Measures the first page of the search in the inbox with many messages in one account, for frequent, rare, and missing
 * words, Arabic, and emoji. The baseline is a search with `ilike` over the same messages.
 */

import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { sealTexts } from '@parley/server/src/messages/messages.ts';
import { searchText } from '@parley/server/src/messages/thread/search_words.ts';
import { makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { createClient, percentile, type Result, type Rig } from './rig.ts';

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 5_000_000);
const CONVERSATIONS = 20_000;
const BATCH = 20_480;
const ROUNDS = 15;
const QUERIES: Readonly<Record<string, string>> = {
  frequent: 'order ready',
  rare: 'zeppelin',
  missing: 'xylophone quartz',
  number: '4471',
  Arabic: 'مرحبا',
  emoji: '👩‍👩‍👧',
};
const WORDS = 'order ready when table invoice coffee tomorrow late delivery thanks please price open today box'.split(
  ' ',
);

/** Every text has a number, three frequent words, and one of 20,000 rare words. */
const makeText = (n: number): string => {
  const word = (step: number) => WORDS[(n * 7 + step * 5) % WORDS.length];
  const rare = n % 40_009 === 1 ? 'zeppelin مرحبا 👩‍👩‍👧' : `w${(n * 2_654_435_761) % 20_000}`;
  return `${n} ${word(0)} ${word(1)} ${word(2)} ${rare}`;
};

export async function inboxSearch(rig: Rig): Promise<Result[]> {
  const { account_id, token } = await makeCompany(rig.kernel);
  const { sender_id } = await makeSender(rig.kernel, account_id);
  await fill(rig, account_id, sender_id);
  const client = createClient(rig.url, token);
  const results: Result[] = [];
  for (const [name, text] of Object.entries(QUERIES)) {
    const waits: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const startedAt = performance.now();
      await client.get(`/v1/inbox_texts?text=${encodeURIComponent(text)}&kind=message`);
      waits.push(performance.now() - startedAt);
    }
    const startedAt = performance.now();
    await rig.kernel.db.rows(sql`
      select id from messages where account_id = ${account_id} and text ilike ${`%${text.split(' ')[0]}%`}
      order by id desc limit 20`);
    const plain = performance.now() - startedAt;
    const p95 = percentile(waits, 95);
    results.push({
      name: `First page of the inbox search, ${MESSAGES.toLocaleString('en-US')} messages, ${name} word`,
      parley: `p50 ${percentile(waits, 50).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
      baseline: `ilike ${plain.toFixed(0)} ms`,
      ratio: (p95 / plain).toFixed(2),
      target: 'p95 under 100 ms',
      met: p95 < 100,
    });
  }
  client.close();
  return results;
}

async function fill(rig: Rig, account_id: string, sender_id: string): Promise<void> {
  const { db } = rig.kernel;
  await db.run(sql`
    insert into conversations (account_id, id, channel, sender_id, number, "timestamp", texts_due)
    select ${account_id}, gen_random_uuid(), 'SMS', ${sender_id}, (447500000000 + n)::text, now(), false
    from generate_series(0, ${CONVERSATIONS - 1}::int) n`);
  for (let done = 0; done < MESSAGES; done += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, MESSAGES - done) }, (_, n) => done + n);
    const ids = rows.map(() => newId());
    const texts = rows.map(makeText);
    await db.tx(async (tx) => {
      await tx.run(sql`
        insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
                              text, segments_count, encoding, currency, source)
        select ${account_id}, id, 'MO', 'SMS', 'received', ${sender_id}, number, 'code', number, 'GB', text, 1,
               'GSM-7', 'USD', 'phone'
        from unnest(${ids}::uuid[], ${rows.map((n) => String(447_500_000_000 + (n % CONVERSATIONS)))}::text[],
                    ${texts}::text[]) as t(id, number, text)`);
      await tx.run(sql`
        insert into conversation_texts (account_id, id, kind, text)
        select ${account_id}, id, 'message', text
        from unnest(${ids}::uuid[], ${texts.map(searchText)}::text[]) as t(id, text)`);
    });
    await sealTexts(rig.kernel, { account_id, kind: 'message' });
  }
  await db.run(sql`vacuum analyze`);
}
