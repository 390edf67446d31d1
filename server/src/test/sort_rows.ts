/** Rows for every list that sorts, written directly to the tables, because a test needs thousands of them. */
import { newId } from '../kernel/clock.ts';
import { type Db, raw, type Sql, sql } from '../kernel/db/db.ts';

const PREVIEW = {
  ...{ format: 'csv', encoding: 'utf-8', delimiter: ',', has_header: true },
  ...{ columns: [], sample_rows: [], row_count: 0 },
};
/** IDs in random order, so that an order by ID differs from the order of insertion. */
const id = sql`gen_random_uuid()`;
/** Five different texts, so that many rows tie. */
const word = sql`(array['Ann', 'bea', 'Carl', 'dora', 'Emil'])[1 + n % 5]`;
const minute = sql`timestamptz '2026-01-01' + n * interval '1 minute'`;

const tables = (account_id: string, audience_id: string, sender_id: string, prefix: string): Record<string, Sql> => ({
  audiences: sql`
    insert into audiences (account_id, id, name, contacts_count, create_date, update_date)
    select ${account_id}, case n when 1 then ${audience_id}::uuid else ${id} end, ${word} || n, n % 3, ${minute},
           ${minute}`,
  contacts: sql`
    insert into contacts (account_id, audience_id, id, number, country, first_name, last_name)
    select ${account_id}, ${audience_id}, ${id}, 4474100000 + n, 'GB', ${word}, ${word}`,
  audience_imports: sql`
    insert into audience_imports (account_id, id, audience_name, filename, storage_key, status, preview, total_rows)
    select ${account_id}, ${id}, ${word}, ${word} || '.csv', '', 'completed',
           ${JSON.stringify(PREVIEW)}::jsonb, n % 4`,
  stop_list: sql`
    insert into stop_list (account_id, id, number, sender_id, reason)
    select ${account_id}, ${id}, 4474100000 + n / 2, case n % 2 when 0 then ${sender_id}::uuid end, 'manual'`,
  senders: sql`
    insert into senders (account_id, id, name, code, channel, type, status, create_date)
    select ${account_id}, case n when 1 then ${sender_id}::uuid else ${id} end, ${word} || n || ${prefix},
           ${word} || n || ${prefix}, (array['SMS', 'VIBER'])[1 + n % 2], 'alphanumeric', 'approved', ${minute}`,
  templates: sql`
    insert into templates (account_id, id, channel, name, text, type, status, wa_category, create_date, update_date)
    select ${account_id}, ${id}, 'VIBER', ${word} || n, 'Text', 'text', 'COMPLETED',
           case n % 2 when 0 then 'MARKETING' end, ${minute}, ${minute}`,
  campaigns: sql`
    insert into campaigns (account_id, id, name, channel, status, start_date, cost_micros, create_date)
    select ${account_id}, ${id}, ${word} || n, 'SMS', (array['completed', 'canceled'])[1 + n % 2],
           case n % 2 when 0 then ${minute} end, n % 3, ${minute}`,
  links: sql`
    insert into links (account_id, id, url, source, create_date)
    select ${account_id}, ${id}, 'https://example.com/' || n, 'manual', ${minute}`,
  number_lookups: sql`
    insert into number_lookups (account_id, id, number, country, status, is_live, provider, price_micros, currency)
    select ${account_id}, ${id}, 4474100000 + n, 'GB', 'good', true, 'twilio', 5000, 'USD'`,
  messages: sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                          segments_count, encoding, currency, source, create_date)
    select ${account_id}, ${id}, 'MT', 'SMS', 'delivered', ${sender_id}, 'Acme', 4474100000 + n, 4474100000 + n, 'GB',
           'Hello', 1, 'GSM-7', 'USD', 'api', ${minute}`,
  users: sql`
    insert into users (account_id, id, email, first_name, last_name, position, last_seen_date)
    select ${account_id}, ${id}, n || ${`@${prefix}.localhost`}, ${word}, ${word}, case n % 3 when 0 then ${word} end,
           case n % 2 when 0 then ${minute} end`,
  audit_log: sql`
    insert into audit_log (account_id, id, number, action, create_date, hash)
    select ${account_id}, ${id}, 1000000 + n, 'session.opened', ${minute}, ''`,
  account_reviews: sql`
    insert into account_reviews (account_id, id, status, form, submitted_by, create_date, decide_date)
    select ${account_id}, ${id}, 'APPROVED', '{"company_name":"Acme","country_code":"GB"}', ${id}, ${minute},
           ${minute}`,
  sender_requests: sql`
    insert into sender_requests (account_id, id, sender_id, kind, status, form, create_date, decide_date, expected_date)
    select ${account_id}, ${id}, ${sender_id}, 'sender_id', 'COMPLETED', '{}', ${minute}, ${minute}, ${minute}`,
  accounts: sql`
    insert into accounts (id, company_name, country_code, status, account_type, parent_id, create_date)
    select ${id}, ${word} || n || ${prefix}, (array['GB', 'DE'])[1 + n % 2], 'VERIFIED', 'SUB_ACCOUNT', ${account_id},
           ${minute}`,
  numbers: sql`
    insert into numbers (number, type, country, city, status, create_date)
    select ${prefix} || 4474100000 + n, 'local', (array['GB', 'DE'])[1 + n % 2], ${word}, 'free', ${minute}`,
});

/** Adds `count` rows to each table. `prefix` distinguishes names and numbers of several calls; it has only digits. */
export async function addSortRows(db: Db, account_id: string, prefix: string, count: number): Promise<string> {
  const audience_id = newId();
  for (const [table, statement] of Object.entries(tables(account_id, audience_id, newId(), prefix))) {
    await db.run(sql`${statement} from generate_series(1, ${count}::int) n`);
    await db.run(raw(`analyze ${table}`));
  }
  return audience_id;
}
