/**
 * Stores messages that a business sent from its phone app. They appear in the conversation, but they are not charged
 * and do not count toward the session, because Parley did not send them.
 */
import { type Content, contentMessageType, NO_CONTENT } from '@parley/contract/messages/content.ts';
import { messageCreated } from '@parley/contract/messages/messages.ts';
import { parseNumber } from '../../audiences/audiences.ts';
import type { Notice } from '../../channels/channel.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { emitSelected } from '../../kernel/live/events.ts';
import { messageJson } from '../model/message_columns.ts';
import { idForTime, reportedTime } from '../model/reported_time.ts';
import { timelineTime } from '../model/status_fold.ts';
import { isAlias, resolveNumbers } from '../thread/aliases.ts';
import { touchConversations } from '../thread/conversations.ts';
import { applyAmendment } from './amendments.ts';
import { fileJob } from './files.ts';

export type Echo = Extract<Notice, { kind: 'echo' }>;

export interface Owner {
  address: string;
  account_id: string;
  sender_id: string;
  channel: string;
  code: string;
  currency: string;
  country: string;
}

export async function storeEchoes(
  tx: Tx,
  connection_id: string,
  echoes: readonly (Echo & { owner: Owner })[],
): Promise<void> {
  const people = echoes.map((echo) => ({ ...echo.owner, echo, from: echo.to, details: {} }));
  for (const { echo, number } of await resolveNumbers(tx, people)) {
    const { amends, owner } = echo;
    const at = reportedTime(echo.at, tx.now);
    const target = { account_id: owner.account_id, connection_id, number, by: 'business', at } as const;
    if (amends && (await applyAmendment(tx, { ...target, amends }))) continue;
    await storeEcho(tx, connection_id, echo, number, at);
  }
}

async function storeEcho(
  tx: Tx,
  connection_id: string,
  echo: Echo & { owner: Owner },
  number: string,
  at: Date,
): Promise<void> {
  const { account_id, sender_id, channel, code, currency, country } = echo.owner;
  const id = idForTime(at, tx.now);
  const isFresh = await tx.run(sql`
    insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
    values (${connection_id}, ${echo.external_id}, ${account_id}, ${id}, 1, 1) on conflict do nothing`);
  if (isFresh === 0) return;
  const { media = null, location, contacts } = echo.content ?? {};
  const content: Content | null =
    media || location || contacts
      ? {
          ...NO_CONTENT,
          ...(media && { media_type: media.type, file_name: media.file_name, content_type: media.content_type }),
          ...(location && { location }),
          ...(contacts && { contacts }),
        }
      : null;
  const timeline = [{ at: timelineTime(at), status: 'sent', source: 'carrier', text: 'Sent from the phone app' }];
  const personCountry = isAlias(number) ? number.slice(0, 2) : (parseNumber(`+${number}`)?.country ?? country);
  await tx.run(sql`
    insert into messages (account_id, id, direction, channel, type, content, status, sender_id, "from", "to", number,
                          country, text, segments_count, encoding, currency, charge, source, connection_id, timeline,
                          create_date, update_date)
    values (${account_id}, ${id}, 'MT', ${channel}, ${contentMessageType(content)},
            ${content && JSON.stringify(content)}::jsonb, 'sent', ${sender_id}, ${code}, ${number}, ${number},
            ${personCountry}, ${echo.text}, 1, 'UTF-8', ${currency}, 'none', 'phone_app', ${connection_id},
            ${JSON.stringify(timeline)}::jsonb, ${at}, ${tx.now})`);
  const message = { account_id, id, channel, sender_id, number, direction: 'MT', text: echo.text } as const;
  await touchConversations(tx, [{ ...message, status: 'sent', create_date: at, source: 'inbox' }]);
  if (media) await enqueue(tx, fileJob, { account_id, message_id: id, connection_id, channel, ...media, tries: 0 });
  await emitSelected(
    tx,
    messageCreated,
    sql`
      select m.account_id, ${newId()}::uuid as id, ${messageJson} as payload, true as live
      from messages m where m.account_id = ${account_id} and m.id = ${id}`,
  );
}
