/** A company with enough data for its screens: a log, conversations, a thread of 5,000 messages, and a campaign. */
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeAudience, makeCarrier, makeCompany, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { api, type Rig, until } from '../rig.ts';

const THREAD = 5_000;
const CONVERSATIONS = 60;
const RECIPIENTS = 120;
const DAY_MS = 86_400_000;
const TEXT = 'Your order 4711 has left our warehouse and will be with you tomorrow before noon';

export interface Screens {
  token: string;
  /** The paths of the screens. */
  dashboard: string;
  log: string;
  inbox: string;
  campaign: string;
  thread: string;
}

export async function makeScreens(rig: Rig): Promise<Screens> {
  await makeCarrier(rig.kernel, { port: rig.sandbox.smpp });
  const company = await makeCompany(rig.kernel, { balance_micros: 10_000_000_000 });
  const { sender_id, code } = await makeSender(rig.kernel, company.account_id);
  const write = (number: string, count: number) =>
    writeThread(rig, { account_id: company.account_id, sender_id, code, number, count });
  for (let index = 1; index < CONVERSATIONS; index++) await write(testNumber(index), 2);
  const longest = await write(testNumber(0), THREAD);
  await rig.kernel.db.run(sql`vacuum analyze messages`);
  return {
    token: company.token,
    dashboard: '/',
    log: '/insights?tab=log',
    inbox: '/inbox/unassigned',
    campaign: `/sms/my-campaigns/${await sendCampaign(rig, company, sender_id)}`,
    thread: `/inbox/unassigned?conversation=${longest}`,
  };
}

interface Thread {
  account_id: string;
  sender_id: string;
  code: string;
  number: string;
  count: number;
}

/** Stores a conversation whose messages alternate in direction over the last day. Returns its id. */
async function writeThread(rig: Rig, { account_id, sender_id, code, number, count }: Thread): Promise<string> {
  const id = newId();
  const startedAt = Date.now() - DAY_MS;
  const rows = Array.from({ length: count }, (_, index) => {
    const at = startedAt + ((index + 1) / count) * (DAY_MS - 60_000);
    return { id: newId(at), at: new Date(at).toISOString(), inbound: index % 2 === 1 };
  });
  await rig.kernel.db.tx(async (tx) => {
    await tx.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                            segments_count, encoding, price_micros, currency, charge, source, create_date)
      select ${account_id}, id, case when inbound then 'MO' else 'MT' end, 'SMS',
             case when inbound then 'received' else 'delivered' end, ${sender_id},
             case when inbound then ${number} else ${code} end, case when inbound then ${code} else ${number} end,
             ${number}, 'GB', ${TEXT}, 1, 'GSM-7', 40000, 'USD', 'none',
             case when inbound then 'phone' else 'inbox' end, at
      from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.inbound)}::boolean[],
                  ${rows.map((row) => row.at)}::timestamptz[]) as m(id, inbound, at)`);
    await tx.run(sql`
      insert into conversations (account_id, id, channel, sender_id, number, unread_count, "timestamp", last_message_id)
      values (${account_id}, ${id}, 'SMS', ${sender_id}, ${number}, 1, ${rows.at(-1)!.at}, ${rows.at(-1)!.id})`);
  });
  return id;
}

async function sendCampaign(
  rig: Rig,
  { account_id, token }: { account_id: string; token: string },
  from: string,
): Promise<string> {
  const people = Array.from({ length: RECIPIENTS }, (_, index) => ({ number: testNumber(100_000 + index) }));
  const audience = await makeAudience(rig.kernel, account_id, people);
  const caller = api(rig.url, token);
  const { body } = await caller.post('/v1/campaigns', { channel: 'SMS', from, audience, text: TEXT });
  const { id } = body.data as { id: string };
  await until(
    'the campaign is delivered',
    async () => {
      const { counts } = (await caller.get(`/v1/campaigns/${id}`)).body.data as { counts: Record<string, number> };
      return counts.delivered === RECIPIENTS;
    },
    60_000,
    200,
  );
  return id;
}
