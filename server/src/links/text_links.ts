/**
 * Links in the texts of messages. Each recipient gets a code for each link, and a link to opt out if recipients cannot
 * reply to the sender. Texts are filled before they are priced; the codes are stored with the messages.
 */
import {
  fillLinks,
  fillOptOut,
  hasLinks,
  hasOptOut,
  linksIn,
  MAX_LINKS,
  OPT_OUT_REPLY,
  optOutText,
} from '@parley/contract/links/inline.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import type { Config } from '../kernel/settings/config.ts';
import { newCode } from './codes.ts';
import { requireDestination } from './destinations.ts';
import { findTextDomain } from './domain_queries.ts';
import * as queries from './queries.ts';

interface TextRequest {
  readonly account_id: string;
  readonly campaign_id: string | null;
  /** A campaign's text. Braces in the data of its contacts are not links. */
  readonly source_text: string | undefined;
}

interface Reader {
  readonly number: string;
  readonly country: string;
  readonly text: string;
}

interface TextSender {
  readonly id: string;
  readonly two_way: boolean;
}

export interface TextLinks {
  /** Returns the people with the texts that they get. */
  fill<P extends Reader>(people: readonly P[], sender: TextSender): Promise<P[]>;
  /** Stores the codes in the texts of these messages. */
  store(tx: Tx, messages: readonly { id: string; number: string }[]): Promise<void>;
}

/** The start of the short URLs in texts: the account's own domain, if it has one. */
export async function readTextLinkPrefix(
  db: Queryable,
  { LINK_URL }: Pick<Config, 'LINK_URL'>,
  account_id: string,
): Promise<string> {
  const host = await findTextDomain(db, account_id);
  return host === null ? LINK_URL : `https://${host}`;
}

interface DraftCode {
  code: string;
  /** Null for an opt-out. */
  url: string | null;
  number: string;
  country: string;
  sender_id: string;
}

export function createTextLinks(db: Queryable, config: Config, request: TextRequest): TextLinks {
  const drafts: DraftCode[] = [];
  const allowed = request.source_text === undefined ? null : new Set(linksIn(request.source_text));
  const checked = new Set<string>();
  let prefix: string | undefined;

  async function checkUrls(people: readonly Reader[]): Promise<void> {
    for (const { text } of people) {
      const urls = hasLinks(text) ? linksIn(text).filter((url) => allowed?.has(url) ?? true) : [];
      if (urls.length > MAX_LINKS) throw new Problem('LINKS_LIMIT_EXCEEDED');
      for (const url of urls) {
        if (checked.has(url)) continue;
        await requireDestination(db, config, url, 'text');
        checked.add(url);
      }
    }
  }

  function fillText({ text, number, country }: Reader, sender: TextSender): string {
    const shorten = (url: string | null): string => {
      const code = newCode();
      drafts.push({ code, url, number, country, sender_id: sender.id });
      return `${prefix}/${code}`;
    };
    const linked = fillLinks(text, (url, tag) => (allowed?.has(url) === false ? tag : shorten(url)));
    if (!hasOptOut(linked)) return linked;
    return fillOptOut(linked, sender.two_way ? OPT_OUT_REPLY : optOutText(shorten(null)));
  }

  return {
    async fill(people, sender) {
      if (!people.some(({ text }) => hasLinks(text) || hasOptOut(text))) return [...people];
      prefix ??= await readTextLinkPrefix(db, config, request.account_id);
      await checkUrls(people);
      return people.map((person) => ({ ...person, text: fillText(person, sender) }));
    },
    async store(tx, messages) {
      const ids = new Map(messages.map(({ id, number }) => [number, id]));
      const codes = drafts.flatMap((draft) => {
        const message_id = ids.get(draft.number);
        return message_id === undefined ? [] : [{ ...draft, message_id }];
      });
      if (codes.length > 0) await storeCodes(tx, request, prefix!, config, codes);
    },
  };
}

async function storeCodes(
  tx: Tx,
  { account_id, campaign_id }: TextRequest,
  prefix: string,
  { LINK_URL }: Config,
  codes: readonly (DraftCode & { message_id: string })[],
): Promise<void> {
  const recipients = new Map<string, number>();
  for (const { url } of codes) if (url !== null) recipients.set(url, (recipients.get(url) ?? 0) + 1);
  const urls = [...recipients].map(([url, count]) => ({ id: newId(), url, recipients: count }));
  const domain = prefix === LINK_URL ? null : new URL(prefix).hostname;
  const rows = urls.length > 0 ? await queries.countRecipients(tx, { account_id, campaign_id, domain }, urls) : [];
  const ids = new Map(rows.map(({ id, url }) => [url, id]));
  try {
    await queries.insertCodes(
      tx,
      account_id,
      codes.map(({ url, ...code }) => ({ ...code, link_id: url === null ? null : ids.get(url)! })),
    );
  } catch (error) {
    // A code was drawn before, which is very unlikely. A new attempt draws other codes.
    if (violates(error, 'link_codes_pkey')) throw new Problem('OPT_OUT_LINK_FAILED');
    throw error;
  }
}
