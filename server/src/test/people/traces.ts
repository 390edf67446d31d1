/** Stores traces of a person in every table that an erasure clears. */
import { randomUUID } from 'node:crypto';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { newId } from '../../kernel/clock.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';
import { makeConversation } from '../inbox/conversations.ts';
import { type Company, makeSender } from '../make.ts';
import type { World } from '../world.ts';

/** A word that occurs in every text about the person and nowhere else. */
export const SECRET = 'zanzibar';

export interface Trace {
  account_id: string;
  sender_id: string;
  number: string;
  person_id: string;
  conversation_id: string;
  audience_id: string;
  campaign_id: string;
  /** A delivered campaign message, and a message from the person. */
  sent_id: string;
}

export async function leaveTraces(world: World, company: Company, number: string): Promise<Trace> {
  const { account_id, user_id } = company;
  const { db } = world.kernel;
  const owner = world.as(company.token);
  const { sender_id } = await makeSender(world.kernel, account_id);
  const name = `List ${newId().slice(-6)}`;
  const audience_id = (await owner.post('/v1/audiences', { name, channel: 'SMS' })).body.data.id as string;
  await owner.post(`/v1/audiences/${audience_id}/contacts`, {
    ...{ number: `+${number}`, first_name: SECRET, tags: [`vip ${SECRET}`] },
  });
  const person_id = (await owner.get(`/v1/people/${number}`)).body.data.id as string;
  const texts = [`Where is my order, ${SECRET}?`];
  const conversation_id = await makeConversation(world.kernel, { account_id, sender_id, number, texts });
  await owner.post(`/v1/conversations/${conversation_id}/notes`, { text: `Likes ${SECRET}`, mentions: [] });
  await owner.post(`/v1/people/${number}/consents`, {
    ...{ channel: 'SMS', purpose: 'marketing', change: 'given', text: 'Yes, write to me' },
  });
  await owner.post('/v1/stop_list', { number: `+${number}` });
  const campaign_id = newId();
  const sent_id = newId();
  await db.run(sql`
    insert into campaigns (account_id, id, name, channel, status)
    values (${account_id}, ${campaign_id}, ${`Sale ${campaign_id.slice(-6)}`}, 'SMS', 'completed')`);
  await db.run(sql`
    insert into messages (account_id, id, sender_id, number, "from", "to", text, channel, status, direction, source,
      country, currency, segments_count, encoding, price_micros, charge, campaign_id, content, payload)
    values (${account_id}, ${sent_id}, ${sender_id}, ${number}, '447700900000', ${number}, ${`Hi ${SECRET}`}, 'SMS',
      'delivered', 'MT', 'campaign', 'GB', 'USD', 1, 'GSM-7', 40000, 'none', ${campaign_id},
      ${JSON.stringify({ ...NO_CONTENT, url: `https://a.example/${SECRET}` })}::jsonb, ${SECRET})`);
  const trace = { account_id, sender_id, number, person_id, conversation_id, audience_id, campaign_id, sent_id };
  for (const statement of [...besideMessages(trace, user_id), ...inLogs(trace)]) await db.run(statement);
  return trace;
}

const step = {
  ...{ text: `Hi ${SECRET}`, content: { ...NO_CONTENT, url: SECRET }, channel: 'SMS', from: 'A', type: 'text' },
  ...{ trigger: null, wait_seconds: null, state: 'in_effect', reason: null, status: null, price_micros: 0 },
};

const besideMessages = (trace: Trace, user_id: string): Sql[] => {
  const { account_id, number, conversation_id, sent_id, person_id } = trace;
  return [
    sql`update conversations set profile_name = ${SECRET}, alias = ${`${SECRET}${number}`}
        where account_id = ${account_id} and id = ${conversation_id}`,
    sql`insert into conversation_drafts (account_id, user_id, conversation_id, reply)
        values (${account_id}, ${user_id}, ${conversation_id}, ${SECRET})`,
    sql`insert into assistance_requests (account_id, id, conversation_id, user_id, action, model, prompt, cost_micros)
        values (${account_id}, ${newId()}, ${conversation_id}, ${user_id}, 'suggest', 'm', ${SECRET}, 0)`,
    sql`insert into fallbacks (account_id, message_id, steps, priority)
        values (${account_id}, ${sent_id}, ${JSON.stringify([step])}::jsonb, 5)`,
    sql`insert into conversation_texts (account_id, id, kind, text, block)
        values (${account_id}, ${sent_id}, 'message', ${` hi ${SECRET} `}, 1)`,
    sql`insert into conversation_words (account_id, kind, block, word)
        values (${account_id}, 'message', 1, ${SECRET}) on conflict do nothing`,
    sql`insert into campaign_people (account_id, set_id, id, number)
        values (${account_id}, ${randomUUID()}, ${newId()}, ${number})`,
    sql`insert into campaign_entries (account_id, campaign_id, number, occurrence, due_date)
        values (${account_id}, ${randomUUID()}, ${number}, ${SECRET}, 'infinity')`,
    sql`insert into person_dates (account_id, person_id, key, date)
        values (${account_id}, ${person_id}, ${SECRET}, '1990-05-01')`,
    sql`insert into import_changes (account_id, import_id, kind, id, detail, create_date)
        values (${account_id}, ${newId()}, 'person', ${person_id}, ${JSON.stringify({ tags: [SECRET] })}::jsonb,
          now())`,
    sql`insert into link_clicks (account_id, id, link_id, kind, is_unique, device, referrer, message_id, number,
          click_date)
        values (${account_id}, ${newId()}, ${newId()}, 'person', true, 'Phone', ${`${SECRET}.example`}, ${sent_id},
          ${number}, now())`,
    sql`insert into crm_people (account_id, provider, number, person_id)
        values (${account_id}, 'pipedrive', ${number}, ${SECRET})`,
    sql`insert into crm_links (account_id, provider, id, record_id, number, state, base, label, error)
        values (${account_id}, 'pipedrive', ${newId()}, ${number}, ${number}, 'failed',
          ${JSON.stringify({ first_name: [SECRET, SECRET] })}::jsonb, ${SECRET}, ${SECRET})`,
    sql`insert into crm_changes (account_id, provider, kind, key)
        values (${account_id}, 'pipedrive', 'number', ${number})`,
    sql`insert into crm_trigger_runs (account_id, provider, trigger_id, deal_id, entry, id, status, number, error)
        values (${account_id}, 'pipedrive', ${newId()}, '1', 'once', ${newId()}, 'refused', ${number}, ${SECRET})`,
    sql`insert into crm_connections (account_id, provider, company_id, company_name, company_url)
        values (${account_id}, 'pipedrive', ${account_id}, 'C', 'https://c.example') on conflict do nothing`,
    sql`insert into crm_logs (account_id, provider, message_id, person_id)
        values (${account_id}, 'pipedrive', ${sent_id}, ${SECRET})`,
    sql`insert into person_merges (account_id, id, person_id, number, merged_number, before, create_date)
        values (${account_id}, ${newId()}, ${newId()}, '1', ${number}, ${JSON.stringify({ first_name: SECRET })}::jsonb,
          now())`,
    sql`insert into person_numbers (account_id, number, person_id) values (${account_id}, ${number}, ${newId()})`,
    sql`insert into opt_in_submissions (account_id, id, form_id, token_hash, number, country, entries, language,
          consent, page, address, network, create_date)
        values (${account_id}, ${newId()}, ${newId()}, '', ${number}, 'GB',
          ${JSON.stringify({ first_name: SECRET })}::jsonb, 'en', '', ${SECRET}, ${SECRET}, '', now())`,
    sql`insert into sent_codes (account_id, id, message_id, channel, phone, country, range, neighbors, code_hash,
          own_code, address, network, expire_date, status)
        values (${account_id}, ${newId()}, ${sent_id}, 'SMS', ${number}, 'GB', '', '', '', false, ${SECRET}, ${SECRET},
          now(), 'verified')`,
  ];
};

const inLogs = ({ account_id, number, sent_id }: Trace): Sql[] => {
  const import_id = newId();
  const spaced = `+${number.slice(0, 2)} ${number.slice(2, 6)}-${number.slice(6)}`;
  const about = (text: string) => JSON.stringify({ to: text, text: SECRET });
  return [
    sql`insert into audience_imports (account_id, id, audience_name, filename, storage_key, status, preview)
        values (${account_id}, ${import_id}, 'a', 'a.csv', '', 'completed',
          ${JSON.stringify({ sample_rows: [[SECRET, spaced]] })}::jsonb)`,
    sql`insert into import_rows (account_id, import_id, line, kind, reason, cells)
        values (${account_id}, ${import_id}, 1, 'invalid', 'x',
          ${JSON.stringify([SECRET, `0${number.slice(2)}`])}::jsonb)`,
    sql`insert into events (account_id, id, type, payload, live)
        values (${account_id}, ${newId()}, 'message.created', ${about(number)}::json, false)`,
    sql`insert into webhook_deliveries (account_id, id, webhook_id, event, body)
        values (${account_id}, ${newId()}, ${newId()}, 'message.created', ${about(number)})`,
    sql`insert into api_requests (account_id, id, key_id, method, path, status, ms, address, request_body, is_masked,
          create_date)
        values (${account_id}, ${newId()}, ${newId()}, 'POST', ${`/v1/people/${number}`}, 200, 1, '127.0.0.1',
          ${about(spaced)}, false, now())`,
    sql`insert into carrier_payloads (account_id, id, message_id, connection_id, direction, title, fields, body, is_cut,
          create_date)
        values (${account_id}, ${newId()}, ${sent_id}, ${newId()}, 'sent', 'submit_sm', '[]', ${SECRET}, false, now())`,
    sql`insert into refused_calls (account_id, id, method, path, status, code, message, "to", request_id)
        values (${account_id}, ${newId()}, 'POST', '/v1/messages', 400, 1, ${SECRET}, ${spaced}, 'x')`,
    sql`insert into test_messages (account_id, id, key_id, status, channel, "from", "to", message, timeline,
          create_date, update_date)
        values (${account_id}, ${newId()}, ${newId()}, 'sent', 'SMS', 'A', ${number}, ${about(number)}::jsonb, '[]',
          now(), now())`,
    sql`insert into test_audiences (account_id, id, name, channel, contacts_count, create_date, update_date)
        values (${account_id}, ${account_id}, 'Test', 'SMS', 1, now(), now()) on conflict do nothing`,
    sql`insert into test_contacts (account_id, audience_id, id, number, contact)
        values (${account_id}, ${account_id}, ${newId()}, ${number}, ${about(number)}::jsonb)`,
    sql`insert into test_codes (account_id, id, message_id, channel, phone, country, code_hash, status, create_date,
          expire_date)
        values (${account_id}, ${newId()}, ${newId()}, ${SECRET}, ${number}, 'GB', '', 'verified', now(), now())`,
    sql`insert into send_approvals (account_id, id, key_id, content_hash, rehearsal, expire_date)
        values (${account_id}, ${newId()}, ${newId()}, ${Buffer.from(number)}, ${about(number)}::jsonb, now())`,
    sql`insert into smpp_accounts (account_id, id, name, system_id, password, max_pending, max_binds)
        values (${account_id}, ${account_id}, 'S', ${account_id.slice(-10)}, '', 9, 9) on conflict do nothing`,
    sql`insert into smpp_deliveries (account_id, id, smpp_account_id, message_id, seq, kind, body)
        values (${account_id}, ${newId()}, ${account_id}, ${sent_id}, 1, 'receipt', ${about('1')}::jsonb)`,
    sql`insert into smpp_parts (account_id, smpp_account_id, key, part, message_id, octets, registered_delivery,
          addresses, accepted)
        values (${account_id}, ${account_id}, ${Buffer.from(number)}, 1, ${sent_id}, ${Buffer.from(SECRET)}, 0,
          ${about(number)}::jsonb, true)`,
  ];
};
