/**
 * Measures the first page of the search in the inbox with many messages in one account, for frequent, rare, and missing
 * words, Arabic, and emoji, and the search for names of people. A small account on the same server is measured, too:
 * its searches must not depend on the messages of the large one. The baseline is a search with `ilike` over the same
 * messages or names.
 */

import { newId } from '@parley/server/src/kernel/clock.ts';
import { type Sql, sql } from '@parley/server/src/kernel/db/db.ts';
import { sealTexts } from '@parley/server/src/messages/messages.ts';
import { searchText } from '@parley/server/src/messages/thread/search_words.ts';
import { makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { createClient, percentile, type Result, type Rig } from './rig.ts';

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 5_000_000);
/** The messages of the small account. */
const FEW_MESSAGES = 10_240;
const CONVERSATIONS = 20_000;
const PEOPLE = 100_000;
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

/** The list of conversations and the people are searched by names. */
const NAMES: Readonly<Record<string, string>> = {
  frequent: 'anna',
  rare: 'Zebedee',
  missing: 'Quixote',
  Arabic: 'ليلى',
};
const FIRST_NAMES = ['Anna', 'Boris', 'Çelik', 'Ravi', 'Mei', 'Óscar', 'Hannah', 'Anush'];

const makeName = (n: number): string => {
  if (n % 19_997 === 1) return 'Zebedee';
  return n % 19_997 === 2 ? 'ليلى' : `${FIRST_NAMES[n % FIRST_NAMES.length]} ${n}`;
};

export async function inboxSearch(rig: Rig): Promise<Result[]> {
  const large = await makeAccount(rig, MESSAGES);
  const small = await makeAccount(rig, FEW_MESSAGES);
  await rig.kernel.db.run(sql`vacuum analyze`);
  const results: Result[] = [];
  for (const account of [large, small]) {
    const client = createClient(rig.url, account.token);
    results.push(...(await searchTexts(rig, client, account)), ...(await searchNames(rig, client, account)));
    client.close();
  }
  return results;
}

interface Account {
  account_id: string;
  token: string;
  messages: number;
}
type Client = ReturnType<typeof createClient>;

async function makeAccount(rig: Rig, messages: number): Promise<Account> {
  const { account_id, token } = await makeCompany(rig.kernel);
  const { sender_id } = await makeSender(rig.kernel, account_id);
  await fill(rig, account_id, sender_id, messages);
  return { account_id, token, messages };
}

async function searchTexts(rig: Rig, client: Client, { account_id, messages }: Account): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, text] of Object.entries(QUERIES)) {
    const waits = await time(client, `/v1/inbox_texts?text=${encodeURIComponent(text)}&kind=message`);
    const plain = await timeQuery(
      rig,
      sql`select id from messages where account_id = ${account_id} and text ilike ${`%${text.split(' ')[0]}%`}
          order by id desc limit 20`,
    );
    const of = `${messages.toLocaleString('en-US')} messages`;
    results.push(report(`First page of the inbox search, ${of}, ${name} word`, waits, plain));
  }
  return results;
}

async function searchNames(rig: Rig, client: Client, { account_id, messages }: Account): Promise<Result[]> {
  const results: Result[] = [];
  const beside = `beside ${messages.toLocaleString('en-US')} messages`;
  for (const [name, text] of Object.entries(NAMES)) {
    const pattern = `%${text}%`;
    const word = encodeURIComponent(text);
    results.push(
      report(
        `Conversations by name, ${CONVERSATIONS.toLocaleString('en-US')}, ${beside}, ${name} name`,
        await time(client, `/v1/conversations?filter[search]=${word}&filter[status]=open`),
        await timeQuery(
          rig,
          sql`select id from conversations where account_id = ${account_id} and profile_name ilike ${pattern}
              order by timestamp desc limit 20`,
        ),
      ),
      report(
        `Records by name, ${PEOPLE.toLocaleString('en-US')} people, ${beside}, ${name} name`,
        await time(client, `/v1/search?text=${word}`),
        await timeQuery(
          rig,
          sql`select id from contacts where account_id = ${account_id} and first_name ilike ${pattern} limit 20`,
        ),
      ),
    );
  }
  return results;
}

async function time(client: Client, path: string): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const startedAt = performance.now();
    await client.get(path);
    waits.push(performance.now() - startedAt);
  }
  return waits;
}

async function timeQuery({ kernel }: Rig, query: Sql): Promise<number> {
  const startedAt = performance.now();
  await kernel.db.rows(query);
  return performance.now() - startedAt;
}

function report(name: string, waits: readonly number[], plain: number): Result {
  const p95 = percentile(waits, 95);
  return {
    name,
    parley: `p50 ${percentile(waits, 50).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
    baseline: `ilike ${plain.toFixed(0)} ms`,
    ratio: (p95 / plain).toFixed(2),
    target: 'p95 under 100 ms',
    met: p95 < 100,
  };
}

async function fill(rig: Rig, account_id: string, sender_id: string, messages: number): Promise<void> {
  const { db } = rig.kernel;
  const names = Array.from({ length: PEOPLE }, (_, n) => makeName(n));
  await db.run(sql`
    insert into conversations (account_id, id, channel, sender_id, number, "timestamp", texts_due, profile_name)
    select ${account_id}, gen_random_uuid(), 'SMS', ${sender_id}, (447500000000 + n - 1)::text,
           now() - n * interval '1 minute', false, name
    from unnest(${names.slice(0, CONVERSATIONS)}::text[]) with ordinality as t(name, n)`);
  const audience_id = newId();
  await db.run(sql`
    insert into audiences (account_id, id, name, channel) values (${account_id}, ${audience_id}, 'People', 'SMS')`);
  await db.run(sql`
    insert into contacts (account_id, id, audience_id, number, country, first_name)
    select ${account_id}, gen_random_uuid(), ${audience_id}, (447500000000 + n - 1)::text, 'GB', name
    from unnest(${names}::text[]) with ordinality as t(name, n)`);
  for (let done = 0; done < messages; done += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, messages - done) }, (_, n) => done + n);
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
}
