/**
 * WhatsApp and Viber in the demo: a connection to each of the sandbox's APIs, and a sender on each channel for the demo
 * company. The connection IDs are fixed, so that the sandbox can be given its callback URLs before the database exists.
 */
import { openConnection, sealSecrets } from '../connections/connections.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sandboxPorts } from '../kernel/settings/config.ts';
import { changeProfile } from '../registrations/registrations.ts';
import { enrollNumber } from '../senders/senders.ts';
import { VIBER_CONNECTION, WHATSAPP_CONNECTION } from './connection_ids.ts';

const BRAND = 'Harbour Coffee';
const NUMBER = '4917139200900';
const PROFILE = {
  about: 'Fresh beans every day',
  category: 'restaurant',
  business_description: 'Coffee roasters in the Port of Hamburg, with nine shops.',
  business_address: 'Am Kai 4, 20457 Hamburg',
  business_email: 'hello@harbour-coffee.example',
  business_website: 'https://harbour-coffee.example',
};
/** The Viber service that exists in the sandbox from its first start. */
const VIBER_ADDRESS = '30001';

export async function seedChatConnections(tx: Tx, kernel: Kernel): Promise<void> {
  const base = `http://127.0.0.1:${sandboxPorts(kernel.config).http}`;
  const whatsapp = {
    base_url: `${base}/graph/v25.0`,
    access_token: 'sandbox-whatsapp-token',
    app_id: '1000000001',
    app_secret: 'sandbox-app-secret',
    verify_token: 'sandbox-verify-token',
    waba_id: '2000000001',
    window: 50,
    throughput: 80,
    timeout_ms: 10_000,
  };
  const viber = {
    base_url: `${base}/viber/vibersrvc/1`,
    auth_token: 'sandbox-viber-token',
    in_a_row: 10,
    in_session: 60,
    window: 50,
    throughput: null,
    timeout_ms: 10_000,
  };
  await upsertConnection(
    tx,
    { id: WHATSAPP_CONNECTION, name: 'Sandbox WhatsApp', adapter: 'whatsapp', channel: 'WHATSAPP' },
    sealSecrets(kernel, WHATSAPP_CONNECTION, 'whatsapp', whatsapp),
  );
  await upsertConnection(
    tx,
    { id: VIBER_CONNECTION, name: 'Sandbox Viber', adapter: 'viber', channel: 'VIBER' },
    sealSecrets(kernel, VIBER_CONNECTION, 'viber', viber),
  );
}

interface Row {
  id: string;
  name: string;
  adapter: string;
  channel: string;
}

// Updates the URL to the sandbox's current port and keeps all other settings that an operator changed.
const upsertConnection = (tx: Tx, { id, name, adapter, channel }: Row, settings: Record<string, unknown>) =>
  tx.run(sql`
    insert into connections as c (id, name, adapter, channel, settings, unknown_policy, unknown_grace_seconds)
    values (${id}, ${name}, ${adapter}, ${channel}, ${JSON.stringify(settings)}::jsonb, 'resend', 15)
    on conflict (id) do update set
      settings = c.settings || jsonb_build_object('base_url', ${settings.base_url}::text),
      callback_state = case when c.settings->>'base_url' = ${settings.base_url}::text then c.callback_state end`);

/** Adds the demo company's missing senders, even to an existing data folder. */
export async function seedChatSenders(tx: Tx, account_id: string): Promise<void> {
  const senders = [
    {
      channel: 'WHATSAPP',
      name: 'Harbour WhatsApp',
      code: NUMBER,
      connection_id: WHATSAPP_CONNECTION,
      address: null,
      status: 'pending',
    },
    {
      channel: 'VIBER',
      name: 'Harbour Viber',
      code: 'Harbour Coffee',
      connection_id: VIBER_CONNECTION,
      address: VIBER_ADDRESS,
      status: 'available',
    },
  ];
  for (const { channel, name, code, connection_id, address, status } of senders) {
    const existing = await tx.maybeOne(sql`
      select 1 from senders where account_id = ${account_id} and channel = ${channel} and delete_date is null`);
    if (existing) continue;
    const id = newId();
    await tx.run(sql`
      insert into senders (account_id, id, name, code, channel, type, status, brand, business_name, connection_id,
                           carrier_address)
      values (${account_id}, ${id}, ${name}, ${code}, ${channel}, 'business', ${status}, ${BRAND}, ${BRAND},
              ${connection_id}, ${address})`);
    if (address) await insertInboundAddress(tx, account_id, id, channel, address);
  }
}

const insertInboundAddress = (tx: Tx, account_id: string, sender_id: string, channel: string, address: string) =>
  tx.run(sql`
    insert into inbound_addresses (channel, address, account_id, sender_id)
    values (${channel}, ${address}, ${account_id}, ${sender_id}) on conflict do nothing`);

/** Registers the demo's number with WhatsApp in the sandbox, as an operator's approval would. */
export async function enrollDemo(kernel: Kernel): Promise<void> {
  const { db } = kernel;
  const sender = await db.maybeOne<{ account_id: string; id: string; code: string; business_name: string }>(sql`
    select account_id, id, code, business_name from senders
    where connection_id = ${WHATSAPP_CONNECTION} and carrier_address is null and status = 'pending'
      and name = 'Harbour WhatsApp' limit 1`);
  if (!sender) return;
  const connection = await openConnection(kernel, db, WHATSAPP_CONNECTION);
  const { account_id, id, code, business_name } = sender;
  const { address } = await enrollNumber(kernel, connection!, { code, channel: 'WHATSAPP', business_name });
  await db.tx(async (tx) => {
    await tx.run(sql`
      update senders set carrier_address = ${address}, status = 'available', update_date = ${tx.now}
      where account_id = ${account_id} and id = ${id}`);
    await insertInboundAddress(tx, account_id, id, 'WHATSAPP', address);
    await tx.run(sql`
      insert into sender_registrations (account_id, sender_id, whatsapp, update_date)
      values (${account_id}, ${id}, ${JSON.stringify(PROFILE)}::jsonb, ${tx.now}) on conflict do nothing`);
    await changeProfile(tx, account_id, id);
    await tx.run(sql`
      update accounts set channels = channels || '{WHATSAPP}'
      where id = ${account_id} and not 'WHATSAPP' = any(channels)`);
  });
}
