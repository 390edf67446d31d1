/** Inserts templates for tests. */
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

export async function makeTemplate(
  kernel: Kernel,
  account_id: string,
  options: {
    channel?: 'SMS' | 'VIBER' | 'WHATSAPP';
    name?: string;
    text?: string;
    status?: string;
    sender_id?: string;
    external_id?: string;
    external_language?: string;
    type?: string;
    wa_category?: string;
  } = {},
): Promise<string> {
  const id = newId();
  const { channel = 'SMS', status = 'COMPLETED' } = options;
  await kernel.db.run(sql`
    insert into templates (account_id, id, channel, name, text, type, wa_category, sender_id, status, external_id,
                           external_language, tried, submitted, create_date, update_date)
    values (${account_id}, ${id}, ${channel}, ${options.name ?? `template_${id.slice(-8)}`},
            ${options.text ?? 'Hello {first_name:there}, welcome.'}, ${options.type ?? 'text'},
            ${options.wa_category ?? (channel === 'WHATSAPP' ? 'UTILITY' : null)}, ${options.sender_id ?? null},
            ${status}, ${options.external_id ?? null}, ${options.external_language ?? null},
            ${options.external_id ? 1 : 0}, ${options.external_id ? 1 : 0}, now(), now())`);
  return id;
}
