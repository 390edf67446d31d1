/** Inserts approved WhatsApp senders for tests, each on its own connection unless one is given. */
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { sealSecrets } from '../connections/connections.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

export async function makeWhatsappSender(
  kernel: Kernel,
  account_id: string,
  options: { connection_id?: string; settings?: object; code?: string; carrier_address?: string } = {},
): Promise<{ connection_id: string; sender_id: string; code: string }> {
  const connection_id = options.connection_id ?? newId();
  const sender_id = newId();
  const code = options.code ?? `4478${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  if (!options.connection_id) {
    const settings = WhatsAppSettings.parse({ waba_id: '2000000001', ...options.settings });
    await kernel.db.run(sql`
      insert into connections (id, name, adapter, channel, settings)
      values (${connection_id}, ${`WhatsApp ${connection_id}`}, 'whatsapp', 'WHATSAPP',
              ${JSON.stringify(sealSecrets(kernel, connection_id, 'whatsapp', settings))}::jsonb)`);
  }
  await kernel.db.run(sql`
    insert into senders (account_id, id, name, code, channel, type, status, brand, business_name, connection_id,
                         carrier_address)
    values (${account_id}, ${sender_id}, ${`Sender ${code}`}, ${code}, 'WHATSAPP', 'business', 'available', 'Brand',
            'Brand', ${connection_id}, ${options.carrier_address ?? sender_id})`);
  return { connection_id, sender_id, code };
}
