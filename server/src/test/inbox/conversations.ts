/** Inserts conversations with messages for tests, without a carrier. */
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';

export interface TestConversation {
  account_id: string;
  sender_id: string;
  number: string;
  assignee_id?: string | null;
  channel?: string;
  /** The texts of the inbound messages, oldest first. All of them are unread. */
  texts?: readonly string[];
}

/** Returns the ID of the conversation. */
export async function makeConversation(kernel: Kernel, conversation: TestConversation): Promise<string> {
  const { account_id, sender_id, number, assignee_id = null, channel = 'SMS', texts = ['Hello'] } = conversation;
  const id = newId();
  await kernel.db.tx(async (tx) => {
    let last: string | null = null;
    for (const text of texts) {
      last = newId();
      await tx.run(sql`
        insert into messages (account_id, id, sender_id, number, "from", "to", text, channel, type, status, direction,
                              source, country, currency, segments_count, encoding, price_micros, charge)
        values (${account_id}, ${last}, ${sender_id}, ${number}, ${number}, '447700900000', ${text}, ${channel}, 'text',
                'received', 'MO', 'phone', 'GB', 'USD', 1, 'GSM-7', 0, 'none')`);
    }
    await tx.run(sql`
      insert into conversations (account_id, id, channel, sender_id, number, assignee_id, unread_count, timestamp,
                                 last_message_id)
      values (${account_id}, ${id}, ${channel}, ${sender_id}, ${number}, ${assignee_id}, ${texts.length}, now(),
              ${last})`);
  });
  return id;
}
