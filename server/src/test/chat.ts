/** A WhatsApp or Viber sender on its own connection, with prices by purpose, for testing rich messages. */
import { ViberSettings } from '@parley/contract/channels/viber/settings.ts';
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import type { Incoming } from '../channels/channel.ts';
import { sealSecrets } from '../connections/connections.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

export interface ChatSender {
  connection_id: string;
  sender_id: string;
  /** The digits of the number, or the name. */
  code: string;
  /** The address that the carrier uses. */
  address: string;
}

/** Prices per message and purpose, in micros. */
export const CHAT_PRICES = {
  WHATSAPP: { service: 5_000, utility: 20_000, marketing: 60_000, authentication: 10_000 },
  VIBER: { session: 8_000, promotional: 30_000, transactional: 15_000 },
} as const;

export async function makeChatSender(
  kernel: Kernel,
  account_id: string,
  channel: 'WHATSAPP' | 'VIBER',
  options: { settings?: object; address?: string; code?: string; connection_id?: string; countries?: string[] } = {},
): Promise<ChatSender> {
  const sender_id = newId();
  const isWhatsapp = channel === 'WHATSAPP';
  const random = String(Math.floor(Math.random() * 1e8)).padStart(8, '0');
  const code = options.code ?? (isWhatsapp ? `4478${random}` : `Harbour ${random}`);
  const address = options.address ?? `7${random}`;
  const connection_id = options.connection_id ?? newId();
  if (!options.connection_id) {
    const adapter = channel.toLowerCase();
    const settings = isWhatsapp
      ? WhatsAppSettings.parse({
          waba_id: '2000000001',
          access_token: 'token',
          app_secret: 'secret',
          ...options.settings,
        })
      : ViberSettings.parse({ auth_token: 'token', ...options.settings });
    await kernel.db.run(sql`
      insert into connections (id, name, adapter, channel, settings, unknown_grace_seconds)
      values (${connection_id}, ${`Chats ${connection_id}`}, ${adapter}, ${channel},
              ${JSON.stringify(sealSecrets(kernel, connection_id, adapter, settings))}::jsonb, 600)`);
  }
  await kernel.db.run(sql`
    insert into senders (account_id, id, name, code, channel, type, status, brand, business_name, connection_id,
                         carrier_address)
    values (${account_id}, ${sender_id}, ${`Sender ${code}`}, ${code}, ${channel}, 'business', 'approved', 'Brand',
            'Brand', ${connection_id}, ${address})`);
  await kernel.db.run(sql`
    insert into inbound_addresses (channel, address, account_id, sender_id)
    values (${channel}, ${address}, ${account_id}, ${sender_id})`);
  for (const country of options.countries ?? ['GB', 'US'])
    for (const [purpose, micros] of Object.entries(CHAT_PRICES[channel]))
      await kernel.db.run(sql`
        insert into rates (id, channel, country, purpose, price_micros, currency)
        values (${newId()}, ${channel}, ${country}, ${purpose}, ${micros}, 'USD') on conflict do nothing`);
  return { connection_id, sender_id, code, address };
}

export const readConnection = (kernel: Kernel, id: string) =>
  kernel.db.one<{ id: string; name: string; adapter: string; channel: string; settings: unknown }>(
    sql`select id, name, adapter, channel, settings from connections where id = ${id}`,
  );

/** Builds an inbound message in the format in which an adapter reports it. */
export const makeIncoming = (sender: ChatSender, from: string, overrides: Partial<Incoming> = {}): Incoming => ({
  from,
  to: sender.address,
  text: 'Hello',
  part: null,
  digest: Buffer.from(newId()),
  session: newId(),
  external_id: `in-${newId()}`,
  ...overrides,
});

/** Stores a file without any checks, for tests that only pass it on. */
export async function makeMedia(
  kernel: Kernel,
  account_id: string,
  file: { type: 'image' | 'video' | 'document'; name: string; content_type: string; bytes?: string; channel?: string },
): Promise<string> {
  const [id, lease] = [newId(), newId()];
  const stored = await kernel.storage.put(`media/${account_id}/${lease}`, toStream(file.bytes ?? 'a file'), {
    max_bytes: 1e6,
  });
  await kernel.db.run(sql`
    insert into media (account_id, id, status, type, channel, file_name, content_type, lease, bytes, sha256, idle_since)
    values (${account_id}, ${id}, 'ready', ${file.type}, ${file.channel ?? null}, ${file.name}, ${file.content_type},
            ${lease}, ${stored.bytes}, ${stored.sha256}, now())`);
  return id;
}

async function* toStream(text: string) {
  yield Buffer.from(text);
}
