/** Rows of the operators' rules and reviews, for tests that only need their IDs. */
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';

/** Creates a rule that is off. */
export async function makeContentRule({ db }: Kernel): Promise<string> {
  const id = newId();
  await db.run(sql`
    insert into content_rules (id, name, kind, action, enabled, words)
    values (${id}, 'Gambling', 'words', 'hold', false, '{casino}')`);
  return id;
}

/** Lists one message of the account as reported. */
export async function makeReview({ db }: Kernel, account_id: string): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`
    insert into message_reviews (account_id, message_id, rule_id, rule_name, kind, state, matches)
    select account_id, id, ${newId()}, 'Gambling', 'words', 'noted', '[]' from messages
    where account_id = ${account_id} limit 1 returning message_id as id`);
  return id;
}
