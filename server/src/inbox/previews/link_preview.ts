/**
 * Previews of links in messages. The server fetches a page through the guarded connector, and only when a user asks for
 * it, so that a contact learns neither the address of the user nor that a message was opened.
 */
import type { LinkPreview } from '@parley/contract/inbox/link_previews.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { createOutbound, type Outbound, OutboundError } from '../../kernel/http/outbound.ts';
import type { Config } from '../../kernel/settings/config.ts';
import { getConversation } from '../inbox.ts';
import { readPage } from './page_texts.ts';

const TIMEOUT_MS = 6_000;
const MAX_BYTES = 128 * 1024;
const MAX_REDIRECTS = 3;
const KEPT = 500;
const KEPT_MS = 600_000;
const LINK = /https?:\/\/[^\s<>"]{1,2000}/i;

const opened = new WeakMap<Config, Outbound>();
function outbound(config: Config): Outbound {
  const known = opened.get(config) ?? createOutbound(config);
  opened.set(config, known);
  return known;
}

type Fetched = Promise<LinkPreview | null>;
/** The previews of the last minutes, oldest first, so that several users cause one request. */
const kept = new Map<string, { preview: Fetched; until: number }>();

export async function getLinkPreview({ kernel, tx, actor }: Ctx, id: string, message_id: string): Fetched {
  const { sender_id, number } = await getConversation(tx, actor, id);
  const message = await tx.maybeOne<{ text: string }>(sql`
    select text from messages
    where account_id = ${actor.account_id} and id = ${message_id} and sender_id = ${sender_id} and number = ${number}`);
  const url = LINK.exec(message?.text ?? '')?.[0].replace(/[.,;:!?)\]}'”»]+$/u, '');
  if (!url) return null;
  const key = `${actor.account_id} ${url}`;
  const now = kernel.clock.now().getTime();
  const known = kept.get(key);
  if (known && known.until > now) return known.preview;
  const preview = fetchPreview(kernel.config, url);
  kept.delete(key);
  kept.set(key, { preview, until: now + KEPT_MS });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return preview;
}

async function fetchPreview(config: Config, url: string): Fetched {
  try {
    const response = await outbound(config).fetch(url, {
      headers: { accept: 'text/html' },
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
      redirects: MAX_REDIRECTS,
    });
    const type = String(response.headers['content-type'] ?? '');
    if (response.status !== 200 || !/^text\/html\b/i.test(type)) return null;
    const page = readPage(response.body, type);
    return page && { url, host: new URL(response.url).host, ...page };
  } catch (error) {
    if (error instanceof OutboundError) return null;
    throw error;
  }
}
