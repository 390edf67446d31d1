/**
 * Demo prices for WhatsApp and Viber, per message and purpose. They are also added to an existing data folder. Prices
 * that an operator changed are kept.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Purpose } from '@parley/contract/messages/content.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { CHAT_RATES, MARKETING_RATES, RATES } from './rates.ts';

interface Row {
  channel: ChannelName;
  country: string;
  purpose: Purpose;
  micros: number;
}

export async function seedChatPrices(tx: Tx): Promise<void> {
  const rows = Object.keys(RATES).flatMap((country) =>
    CHAT_RATES.map(({ channel, purpose, micros }): Row => {
      const country_rate = purpose === 'marketing' ? MARKETING_RATES[country] : undefined;
      return { channel, country, purpose, micros: country_rate ?? micros };
    }),
  );
  const column = <T>(pick: (row: Row) => T): T[] => rows.map(pick);
  await tx.run(sql`
    insert into rates (id, channel, country, purpose, price_micros, currency)
    select id, channel, country, purpose, micros, 'USD'
    from unnest(
      ${rows.map(() => newId())}::uuid[], ${column(({ channel }) => channel)}::text[],
      ${column(({ country }) => country)}::text[], ${column(({ purpose }) => purpose)}::text[],
      ${column(({ micros }) => micros)}::bigint[]
    ) as r(id, channel, country, purpose, micros)
    on conflict do nothing`);
}
