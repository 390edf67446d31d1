/** Prices of the demo for WhatsApp and Viber: for a whole message, by what it is for. Also for a folder from before; what an operator changed stays. */
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
      const own = purpose === 'marketing' ? MARKETING_RATES[country] : undefined;
      return { channel, country, purpose, micros: own ?? micros };
    }),
  );
  const of = <T>(pick: (row: Row) => T): T[] => rows.map(pick);
  await tx.run(sql`
    insert into rates (id, channel, country, purpose, price_micros, currency)
    select id, channel, country, purpose, micros, 'USD'
    from unnest(${rows.map(() => newId())}::uuid[], ${of(({ channel }) => channel)}::text[], ${of(({ country }) => country)}::text[],
                ${of(({ purpose }) => purpose)}::text[], ${of(({ micros }) => micros)}::bigint[]) as r(id, channel, country, purpose, micros)
    on conflict do nothing`);
}
