/**
 * The deals of a conversation's contact. They are read from each connected CRM, and shared for a minute, because many
 * users walk through the same conversations and CRMs limit the number of calls.
 */
import { CRM_LABELS, CRMS, type CrmName } from '@parley/contract/crm/crm.ts';
import type { ContactDeal, ContactDeals } from '@parley/contract/crm/deals.ts';
import { getConversation } from '../../inbox/inbox.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { callAs } from '../access.ts';
import { findApp, provider } from '../apps.ts';
import { findPerson, searchPerson } from '../people.ts';
import { type App, type Call, CrmError, type PersonDeal } from '../providers/provider.ts';
import { type ConnectionRow, findLogin, listConnections } from '../queries.ts';
import { Recent } from './recent.ts';

const SHOWN = 5;
const NAME_LENGTH = 200;
/** A CRM that responds later is reported as unreachable. Its response is still kept for the next user. */
const PATIENCE_MS = 12_000;
const DEALS_MS = 60_000;
const WORDS_MS = 600_000;

type Found = Pick<ContactDeals, 'person' | 'deals' | 'has_more'>;
interface Words {
  readonly stages: ReadonlyMap<string, string>;
  readonly currency: string | null;
}
const recentDeals = new Recent<Found>({ keep_ms: DEALS_MS, size: 2_000 });
const recentWords = new Recent<Words>({ keep_ms: WORDS_MS, size: 200 });

/** Reads from all CRMs at the same time. One that fails does not hide the deals of another. */
export async function listContactDeals({ kernel, actor }: Pick<Ctx, 'kernel' | 'actor'>, id: string) {
  const { account_id } = actor;
  const { number } = await getConversation(kernel.db, actor, id);
  const rows = await listConnections(kernel.db, account_id);
  return Promise.all(
    CRMS.flatMap((name) => {
      const row = rows.find((one) => one.provider === name);
      const app = findApp(kernel, name);
      return row && app ? [readGroup(kernel, app, row, { number, user_id: actor.user_id })] : [];
    }),
  );
}

type Wanted = { number: string; user_id: string | null };

async function readGroup(kernel: Kernel, app: App, row: ConnectionRow, wanted: Wanted): Promise<ContactDeals> {
  const named = { provider: row.provider, label: CRM_LABELS[row.provider] };
  try {
    const found = await withPatience(readRecent(kernel, app, row, wanted));
    return { ...named, ...found, problem: null };
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    kernel.log.warn({ err: error, crm: row.provider, account_id: row.account_id }, 'deals cannot be read');
    const problem = error.fault === 'signed_out' ? 'signed_out' : 'unreachable';
    return { ...named, person: null, deals: [], has_more: false, problem };
  }
}

/** What a user sees depends on the login in the CRM, so only users with the same login share a result. */
async function readRecent(
  kernel: Kernel,
  app: App,
  { account_id, provider: name, company_id, company_url }: ConnectionRow,
  { number, user_id }: Wanted,
): Promise<Found> {
  const login = await findLogin(kernel.db, account_id, name, user_id);
  if (!login) throw new CrmError('signed_out', 'No user is connected');
  const call = callAs(kernel, { account_id, provider: name, id: login.id });
  const now = kernel.clock.now().getTime();
  const connection = JSON.stringify([kernel.db.url, account_id, name, company_id]);
  const key = JSON.stringify([connection, login.id, number]);
  return recentDeals.read(key, now, async () => {
    const { person_id, rows } = await readPerson(kernel, call, { account_id, provider: name, number });
    if (person_id === null) return { person: null, deals: [], has_more: false };
    const words = rows.length > 0 ? await recentWords.read(connection, now, () => readWords(call, name)) : null;
    const url = (kind: 'person' | 'deal', id: string) => provider(name).recordUrl(app, company_url, kind, id);
    return {
      person: { id: person_id, url: url('person', person_id) },
      deals: rows
        .toSorted((a, b) => Number(b.state === 'open') - Number(a.state === 'open'))
        .slice(0, SHOWN)
        .map((deal) => toContactDeal(deal, words, url('deal', deal.id))),
      has_more: rows.length > SHOWN,
    };
  });
}

async function readPerson(
  kernel: Kernel,
  call: Call,
  key: { account_id: string; provider: CrmName; number: string },
): Promise<{ person_id: string | null; rows: PersonDeal[] }> {
  const { country } = await kernel.db.one<{ country: string }>(
    sql`select country_code as country from accounts where id = ${key.account_id}`,
  );
  const wanted = { ...key, country };
  const read = async (person_id: string | null) => ({
    person_id,
    rows: person_id === null ? [] : await provider(key.provider).personDeals(call, person_id),
  });
  try {
    return await read(await findPerson(kernel, call, wanted));
  } catch (error) {
    if (!(error instanceof CrmError) || error.fault !== 'missing') throw error;
    return read(await searchPerson(kernel, call, wanted));
  }
}

async function readWords(call: Call, name: CrmName): Promise<Words> {
  const [stages, currency] = await Promise.all([provider(name).stages(call), provider(name).homeCurrency(call)]);
  return { stages: new Map(stages.map((stage) => [stage.id, stage.name])), currency };
}

function toContactDeal(deal: PersonDeal, words: Words | null, url: string | null): ContactDeal {
  const { id, name, stage_id, state, value } = deal;
  const currency = deal.currency ?? words?.currency ?? null;
  return {
    ...{ id, state, value, url },
    name: cut(name),
    stage: cut(words?.stages.get(stage_id) ?? ''),
    currency: currency && /^[A-Z]{3}$/.test(currency) ? currency : null,
  };
}

const cut = (text: string): string =>
  text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH - 1)}…`.toWellFormed() : text;

function withPatience<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new CrmError('busy', `No response within ${PATIENCE_MS} ms`)), PATIENCE_MS).unref();
  });
  return Promise.race([work, late]);
}
