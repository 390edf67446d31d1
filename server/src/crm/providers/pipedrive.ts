/** Pipedrive: https://developers.pipedrive.com/docs/api/v1 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { contactPort, id, Person, readData, toPerson } from './pipedrive_contacts.ts';
import { type App, type Call, CrmError, type CrmPerson, type CrmProvider, type LogEntry } from './provider.ts';

/** Used if the company does not let the app add its own type. */
const USUAL_TYPE = 'task';
const TYPE = { key: 'message', name: 'Message', icon: 'bubble' } as const;
const SUBJECT_LENGTH = 80;
const SEARCHED = 100;

const Me = z.object({
  id,
  name: z.string(),
  email: z.string().nullish(),
  company_id: id,
  company_name: z.string(),
  company_domain: z.string().nullish(),
});
const Found = z.object({ items: z.array(z.object({ item: z.object({ id }) })) });
const Deal = z.object({ person_id: id.nullish() });
const Types = z.array(z.object({ key_string: z.string(), active_flag: z.boolean().nullish() })).nullable();
const Activity = z.object({ id, note: z.string().nullish() });
const Uninstalled = z.object({ company_id: id, user_id: id });

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

const readPerson = async (call: Call, id: string): Promise<CrmPerson> =>
  toPerson(readData(Person, await call('GET', `/api/v2/persons/${id}`)));

/** The people and their numbers. Deleted records are left out. */
async function readPeople(call: Call, ids: readonly string[]): Promise<CrmPerson[]> {
  if (ids.length === 0) return [];
  const query = new URLSearchParams({ ids: [...new Set(ids)].slice(0, SEARCHED).join(','), limit: String(SEARCHED) });
  const body = await call('GET', `/api/v2/persons?${query}`);
  return (readData(z.array(Person).nullable(), body) ?? []).map(toPerson);
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const ownDomain = (app: App): string => new URL(app.url).hostname.split('.').slice(1).join('.');

export const pipedrive: CrmProvider = {
  about: 'Message people from their deals. Messages and replies are logged as activities.',
  url: 'https://oauth.pipedrive.com',
  callback_path: '/pipedrive',
  frameOrigins: (app) =>
    app.url === pipedrive.url ? ['https://pipedrive.com', 'https://*.pipedrive.com'] : [new URL(app.url).origin],
  recordUrl(app, company_url, kind, id) {
    const site = app.url === pipedrive.url ? company_url : app.url;
    return site ? `${site}/${kind}/${encodeURIComponent(id)}` : null;
  },
  authorizeUrl: ({ url, client_id }, { redirect_uri, state }) =>
    `${url}/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri, state })}`,
  token: { path: '/oauth/token', credentials: 'header' },
  revoke_path: '/oauth/revoke',
  apiUrl(app, { api_domain }) {
    const url = URL.parse(typeof api_domain === 'string' ? api_domain : '');
    // The tokens go only to the CRM itself.
    const isOwn = url?.origin === new URL(app.url).origin;
    const isSite = url?.protocol === 'https:' && `.${url.hostname}`.endsWith(`.${ownDomain(app)}`);
    if (!url || !(isOwn || isSite)) throw new CrmError('refused', 'The API address does not belong to the CRM');
    return url.href.replace(/\/+$/, '');
  },
  async identify(call) {
    const me = readData(Me, await call('GET', '/api/v1/users/me'));
    const { company_id, company_name, company_domain } = me;
    return {
      id: me.id,
      name: me.name,
      email: me.email ?? '',
      company_id,
      company_name,
      company_url:
        company_domain && /^[\w-]{1,100}$/.test(company_domain) ? `https://${company_domain}.pipedrive.com` : '',
    };
  },
  readUninstall({ client_id, client_secret }, authorization, body) {
    const expected = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    if (!timingSafeEqual(hash(authorization), hash(expected))) return null;
    return Uninstalled.parse(body);
  },
  async activityType(call) {
    const types = readData(Types, await call('GET', '/api/v1/activityTypes')) ?? [];
    if (types.some(({ key_string, active_flag }) => key_string === TYPE.key && active_flag !== false)) return TYPE.key;
    try {
      const added = await call('POST', '/api/v1/activityTypes', { name: TYPE.name, icon_key: TYPE.icon });
      return readData(z.object({ key_string: z.string() }), added).key_string;
    } catch (error) {
      // Only administrators may add types.
      if (error instanceof CrmError && error.fault === 'refused') return USUAL_TYPE;
      throw error;
    }
  },
  person: readPerson,
  async dealPeople(call, id) {
    const { person_id } = readData(Deal, await call('GET', `/api/v2/deals/${id}`));
    return person_id ? [await readPerson(call, person_id)] : [];
  },
  async searchPeople(call, digits) {
    const query = new URLSearchParams({ term: digits, fields: 'phone', limit: String(SEARCHED) });
    const found = readData(Found, await call('GET', `/api/v2/persons/search?${query}`));
    return readPeople(
      call,
      found.items.map(({ item }) => item.id),
    );
  },
  async log(call, entry) {
    const body = await call('POST', '/api/v2/activities', toActivity(entry));
    return readData(Activity, body).id;
  },
  async findLog(call, { message_id, person_id, create_date }) {
    // RFC 3339 without milliseconds. The clocks may differ a little.
    const since = new Date(create_date.getTime() - 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    let cursor: string | null = null;
    do {
      const query: URLSearchParams = new URLSearchParams({ person_id, updated_since: since, limit: '500' });
      if (cursor) query.set('cursor', cursor);
      const body = await call('GET', `/api/v2/activities?${query}`);
      const found = (readData(z.array(Activity).nullable(), body) ?? []).find(({ note }) => note?.includes(message_id));
      if (found) return found.id;
      cursor =
        z.object({ additional_data: z.object({ next_cursor: z.string().nullish() }).nullish() }).parse(body)
          .additional_data?.next_cursor ?? null;
    } while (cursor);
    return null;
  },
  ...contactPort,
};

function toActivity(entry: LogEntry) {
  const { direction, channel_label, text, create_date, person_id, deal_id, number, sender } = entry;
  const title = `${channel_label} ${direction === 'MO' ? 'received' : 'sent'}: ${text.replace(/\s+/g, ' ')}`;
  const route = direction === 'MO' ? `From +${number} to ${sender}` : `From ${sender} to +${number}`;
  return {
    subject: title.length > SUBJECT_LENGTH ? `${title.slice(0, SUBJECT_LENGTH - 1)}…`.toWellFormed() : title,
    type: entry.activity_type,
    done: true,
    due_date: create_date.toISOString().slice(0, 10),
    due_time: create_date.toISOString().slice(11, 16),
    owner_id: Number(entry.crm_user_id),
    participants: [{ person_id: Number(person_id), primary: true }],
    ...(deal_id ? { deal_id: Number(deal_id) } : {}),
    note:
      `<p>${escapeHtml(text).replace(/\n/g, '<br>')}</p>` +
      `<p>${escapeHtml(route)}. <a href="${escapeHtml(entry.link)}">Open in ${escapeHtml(entry.app_name)}</a></p>`,
  };
}
