/**
 * Loads the content of messages in the format that adapters accept: the file as it is stored now, and everything else
 * as it was accepted.
 */

import type { MediaType } from '@parley/contract/media/types.ts';
import type { Cards } from '@parley/contract/messages/cards.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import type { OutgoingContent, OutgoingMedia } from '../../channels/outgoing_content.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import {
  listReadyMedia,
  type MediaRow,
  makeOutgoingFile,
  makeOutgoingVideoLink,
  outgoingLink,
} from '../../media/media.ts';

interface PayloadSource {
  account_id: string;
  message_id: string;
  content: Content | null;
}

/**
 * Returns the payloads in the order of the messages. `lost` marks a message whose file was deleted. Such messages must
 * not be sent.
 */
export async function loadPayloads(
  kernel: Kernel,
  db: Queryable,
  messages: readonly PayloadSource[],
): Promise<{ content: OutgoingContent | null; lost: boolean }[]> {
  const references = messages.flatMap(({ account_id, content }) =>
    content?.media_id ? [{ account_id, id: content.media_id }] : [],
  );
  const rows = references.length > 0 ? await listReadyMedia(db, references) : [];
  const quoted = await findQuoted(db, messages);
  const files = new Map(rows.map((row) => [`${row.account_id} ${row.id}`, row]));
  return messages.map(({ account_id, message_id, content }) => {
    if (!content) return { content: null, lost: false };
    const file = content.media_id ? files.get(`${account_id} ${content.media_id}`) : undefined;
    if (content.media_id && !file) return { content: null, lost: true };
    const { header, footer, buttons, template, purpose } = content;
    const media = resolveMedia(kernel, content, file);
    const quoted_id = quoted.get(message_id) ?? null;
    const cards = readStoredCards(content);
    return {
      content: { media, header, footer, buttons, template, purpose, quoted_id, ...(cards ? { cards } : {}) },
      lost: false,
    };
  });
}

const readStoredCards = ({ location, contacts, list }: Content): Cards | null =>
  location || contacts || list ? { location: location ?? null, contacts: contacts ?? null, list: list ?? null } : null;

/** The carrier's ids of the quoted messages, by the quoting message. If it is unknown, there is no quote. */
async function findQuoted(db: Queryable, messages: readonly PayloadSource[]): Promise<Map<string, string>> {
  const quoting = messages.filter(({ content }) => content?.answers);
  if (quoting.length === 0) return new Map();
  const column = (pick: (message: PayloadSource) => string) => quoting.map(pick);
  const rows = await db.rows<{ id: string; external_id: string }>(sql`
    select t.id, s.external_id
    from unnest(${column(({ message_id }) => message_id)}::uuid[], ${column(({ account_id }) => account_id)}::uuid[],
                ${column(({ content }) => content!.answers!)}::uuid[]) as t(id, account_id, quoted_id)
    join submissions s on s.account_id = t.account_id and s.message_id = t.quoted_id`);
  return new Map(rows.map(({ id, external_id }) => [id, external_id]));
}

function resolveMedia(kernel: Kernel, content: Content, row: MediaRow | undefined): OutgoingMedia | null {
  if (row) return makeOutgoingFile(kernel, row, content.file_name);
  const { url, media_type, file_name } = content;
  if (url === null) return null;
  return media_type === 'video'
    ? makeOutgoingVideoLink(kernel, url, file_name)
    : outgoingLink(media_type as MediaType, url, file_name);
}
