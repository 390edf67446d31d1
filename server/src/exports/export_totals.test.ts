/** The progress of an export has the exact total of its list, and only the first page counts. */
import { EXPORT_LISTS, type ExportList } from '@parley/contract/exports/lists.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sql, sql } from '../kernel/db/db.ts';
import { readPages } from '../kernel/http/list_calls.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { ROUTES } from '../modules.ts';
import { campaignDraft, crowd, makeStage, type Stage } from '../test/campaigns.ts';
import { createWorld, type World } from '../test/world.ts';

/** More than lists count for a page. */
const ROWS = 10_400;
const FAR = '2099-01-01 00:00:00';

let world: World;
let stage: Stage;
let actor: Actor;
let campaign_id: string;

beforeAll(async () => {
  world = await createWorld();
  stage = await makeStage(world, crowd(1));
  const draft = await stage.caller.post('/v1/campaigns', campaignDraft(stage, { schedule: FAR }));
  campaign_id = draft.body.data.id;
  const { id } = (await stage.caller.post('/v1/exports', { list: 'links', format: 'csv' })).body.data;
  ({ actor } = await world.kernel.db.one<{ actor: Actor }>(sql`select actor from exports where id = ${id}`));
  for (const table of fill(stage)) await world.kernel.db.run(table);
});
afterAll(() => world?.stop());

const series: Sql = sql`generate_series(1, ${ROWS}::int) n`;
const id: Sql = sql`('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const number: Sql = sql`'4474' || (10000000 + n)`;

const fill = ({ account_id, sender_id, audience_id }: Stage): Sql[] => [
  sql`insert into links (account_id, id, url, source) select ${account_id}, ${id}, 'https://example.com', 'api'
      from ${series}`,
  sql`insert into stop_list (account_id, id, number, reason) select ${account_id}, ${id}, ${number}, 'manual'
      from ${series}`,
  sql`insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, available_after_micros,
        held_after_micros)
      select ${account_id}, ${id}, 'outside', 'available', 1, 'bonus', n::text, 0, 0 from ${series}`,
  sql`insert into contacts (account_id, audience_id, id, number, country, first_name)
      select ${account_id}, ${audience_id}, ${id}, ${number}, 'GB', 'Found' from ${series}`,
  sql`insert into conversations (account_id, id, channel, sender_id, number, timestamp)
      select ${account_id}, ${id}, 'SMS', ${sender_id}, ${number}, now() from ${series}`,
  sql`insert into number_lookups (account_id, id, number, country, status, is_live, provider, price_micros, currency)
      select ${account_id}, ${id}, ${number}, 'GB', 'good', false, 'numbering plan', 0, 'USD' from ${series}`,
  sql`insert into messages (account_id, id, sender_id, direction, channel, status, "from", "to", number, country, text,
        segments_count, encoding, price_micros, currency, charge, source, campaign_id)
      select ${account_id}, ${id}, ${sender_id}, 'MT', 'SMS', 'delivered', 'A', ${number}, ${number}, 'GB', 'Hello', 1,
        'GSM-7', 0, 'USD', 'none', 'campaign', ${campaign_id} from ${series}`,
];

const LISTS: [ExportList, () => { params?: Record<string, string>; filter?: Record<string, unknown> }][] = [
  ['messages', () => ({})],
  ['contacts', () => ({ params: { id: stage.audience_id }, filter: { search: 'Found' } })],
  ['stop_list', () => ({})],
  ['campaign_recipients', () => ({ params: { id: campaign_id }, filter: { bucket: 'delivered' } })],
  ['conversations', () => ({})],
  ['links', () => ({})],
  ['ledger', () => ({ filter: { kinds: 'bonus' } })],
  ['lookups', () => ({})],
];

test.each(LISTS)('the progress of an export of %s has an exact total', async (list, select) => {
  const endpoint = EXPORT_LISTS[list];
  const implementation = ROUTES.find((route) => route.endpoint.id === endpoint.id)!;
  const call = { endpoint, params: {}, filter: {}, sort: null, isCounted: true, ...select() };
  const pages = await world.kernel.db.tx(async (tx) => {
    const read: { total: number; isEstimate: boolean; rows: number }[] = [];
    for await (const { data, pagination } of readPages(world.kernel, implementation, tx, actor, call)) {
      const { total, total_is_estimate = false } = pagination;
      read.push({ total, isEstimate: total_is_estimate, rows: data.length });
    }
    return read;
  }, 'repeatable read');
  const rows = pages.reduce((sum, page) => sum + page.rows, 0);
  expect(rows).toBeGreaterThanOrEqual(ROWS);
  expect(pages[0]).toMatchObject({ total: rows, isEstimate: false });
});
