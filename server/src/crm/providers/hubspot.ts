/** HubSpot: https://developers.hubspot.com/docs/api-reference */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { z } from 'zod';
import { hubspotContacts, id, readPeople } from './hubspot_contacts.ts';
import { CrmError, type CrmProvider, type HookChange, type HookRequest, type LogEntry } from './provider.ts';

const AUTHORIZE_URL = 'https://app.hubspot.com';
const SCOPES =
  'oauth crm.objects.contacts.read crm.objects.contacts.write crm.objects.deals.read crm.objects.owners.read ' +
  'crm.schemas.contacts.read crm.schemas.deals.read';
const TOLERANCE_MS = 300_000;
/** Types of associations that HubSpot defines: a communication with a contact, and with a deal. */
const TO_CONTACT = 81;
const TO_DEAL = 85;
const SEARCHED = 100;
/** The types of objects in addresses of HubSpot's pages. */
const OBJECT_TYPES = { person: '0-1', deal: '0-3' } as const;

const Owner = z.object({ hub_id: id, user_id: id });
const Details = z.object({ portalId: id, uiDomain: z.string().nullish() });
const RecordOwner = z.object({
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  email: z.string().nullish(),
});
const Communications = z.object({
  results: z.array(z.object({ id, properties: z.object({ hs_communication_body: z.string().nullish() }) })),
});
const Associated = z.object({
  associations: z.object({ contacts: z.object({ results: z.array(z.object({ id })) }).optional() }).optional(),
});
const Events = z.array(
  z.object({
    portalId: id,
    subscriptionType: z.string(),
    objectId: id.nullish(),
    primaryObjectId: id.nullish(),
    newObjectId: id.nullish(),
    mergedObjectIds: z.array(id).nullish(),
    objectTypeId: z.string().nullish(),
  }),
);

/** The objects of events, by the names of older subscriptions and by the IDs of newer ones. */
const KINDS = new Map<string, HookChange['kind']>([
  ...([
    ['contact', 'record'],
    ['0-1', 'record'],
    ['deal', 'deal'],
    ['0-3', 'deal'],
  ] as const),
]);

/** The channels that HubSpot has names for. Others are logged as text messages. */
const CHANNEL_TYPES: Readonly<Record<string, string>> = { WhatsApp: 'WHATS_APP' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const hubspot: CrmProvider = {
  about: 'Keep contacts and opt-outs in sync. Messages and replies are logged on contacts and deals.',
  url: 'https://api.hubapi.com',
  callback_path: '/crm/hubspot',
  // The cards of its apps cannot be frames of other sites.
  frameOrigins: () => [],
  recordUrl(app, company_url, kind, id) {
    const site = app.url === hubspot.url ? company_url : app.url;
    return site ? `${site}/record/${OBJECT_TYPES[kind]}/${encodeURIComponent(id)}` : null;
  },
  authorizeUrl: ({ url, client_id }, { redirect_uri, state }) =>
    `${url === hubspot.url ? AUTHORIZE_URL : url}/oauth/authorize?${new URLSearchParams({
      ...{ client_id, redirect_uri, state },
      scope: SCOPES,
    })}`,
  token: {
    path: '/oauth/2026-03/token',
    credentials: 'body',
    introspect_path: '/oauth/2026-03/token/introspect',
  },
  revoke_path: '/oauth/2026-03/token/revoke',
  apiUrl: ({ url }) => url,
  async identify(call, owner) {
    const { hub_id, user_id } = Owner.parse(owner);
    const details = Details.parse(await call('GET', '/account-info/v3/details'));
    if (details.portalId !== hub_id) throw new CrmError('refused', 'The token belongs to another company');
    const query = new URLSearchParams({ idProperty: 'userId' });
    const person = await call('GET', `/crm/v3/owners/${encodeURIComponent(user_id)}?${query}`).catch((error) => {
      // People who own no records, and apps without the permission to read owners.
      if (error instanceof CrmError && error.fault !== 'busy') return {};
      throw error;
    });
    const { firstName, lastName, email } = RecordOwner.parse(person);
    const domain = details.uiDomain ?? 'app.hubspot.com';
    return {
      id: user_id,
      name: [firstName, lastName].filter(Boolean).join(' ') || `User ${user_id}`,
      email: email ?? '',
      company_id: hub_id,
      company_name: `HubSpot ${hub_id}`,
      company_url: /^[\w.-]{1,100}\.hubspot\.com$/.test(domain) ? `https://${domain}/contacts/${hub_id}` : '',
    };
  },
  readUninstall: null,
  activityType: async () => 'communication',
  async person(call, id) {
    const [person] = await readPeople(call, [id]);
    if (!person) throw new CrmError('missing', 'The contact does not exist');
    return person;
  },
  async dealPeople(call, id) {
    const deal = await call('GET', `/crm/v3/objects/deals/${encodeURIComponent(id)}?associations=contacts`);
    const people = Associated.parse(deal).associations?.contacts?.results ?? [];
    return readPeople(call, [...new Set(people.map((one) => one.id))]);
  },
  async searchPeople(call, digits) {
    // These properties contain the digits only, without the country code.
    const properties = ['hs_searchable_calculated_mobile_number', 'hs_searchable_calculated_phone_number'];
    const found = await call('POST', '/crm/v3/objects/contacts/search', {
      filterGroups: properties.map((propertyName) => ({
        filters: [{ propertyName, operator: 'CONTAINS_TOKEN', value: `*${digits}` }],
      })),
      limit: SEARCHED,
    });
    const { results } = z.object({ results: z.array(z.object({ id })) }).parse(found);
    return readPeople(
      call,
      results.map((one) => one.id),
    );
  },
  async log(call, entry) {
    const added = await call('POST', '/crm/v3/objects/communications', toCommunication(entry));
    return z.object({ id }).parse(added).id;
  },
  async findLog(call, { message_id, person_id, create_date }) {
    const found = await call('POST', '/crm/v3/objects/communications/search', {
      filterGroups: [
        {
          filters: [
            { propertyName: 'associations.contact', operator: 'EQ', value: person_id },
            { propertyName: 'hs_timestamp', operator: 'EQ', value: String(create_date.getTime()) },
          ],
        },
      ],
      properties: ['hs_communication_body'],
      limit: SEARCHED,
    });
    const { results } = Communications.parse(found);
    return results.find(({ properties }) => properties.hs_communication_body?.includes(message_id))?.id ?? null;
  },
  hooks: { read: readHook, subscribe: null, unsubscribe: async () => {} },
  ...hubspotContacts,
};

function toCommunication(entry: LogEntry) {
  const { direction, channel_label, text, create_date, person_id, deal_id, number, sender } = entry;
  const route = direction === 'MO' ? `From +${number} to ${sender}` : `From ${sender} to +${number}`;
  const link = (target: string, associationTypeId: number) => ({
    to: { id: target },
    types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
  });
  return {
    properties: {
      hs_communication_channel_type: CHANNEL_TYPES[channel_label] ?? PHONE_CHANNEL,
      hs_communication_logged_from: 'CRM',
      hs_timestamp: create_date.toISOString(),
      hs_communication_body:
        `<p>${escapeHtml(text).replace(/\n/g, '<br>')}</p>` +
        `<p>${escapeHtml(route)}. <a href="${escapeHtml(entry.link)}">Open in ${escapeHtml(entry.app_name)}</a></p>`,
    },
    associations: [link(person_id, TO_CONTACT), ...(deal_id ? [link(deal_id, TO_DEAL)] : [])],
  };
}

/** The characters that HubSpot decodes in the address before it signs the request. */
const DECODED: Readonly<Record<string, string>> = {
  ...{ '%3A': ':', '%2F': '/', '%3F': '?', '%40': '@', '%21': '!', '%24': '$', '%27': "'" },
  ...{ '%28': '(', '%29': ')', '%2A': '*', '%2C': ',', '%3B': ';' },
};

/** The signature of version 3. The method, the address, the body, and the time are signed with the client secret. */
export function isSigned(secret: string, { method, url, headers, body, now }: HookRequest): boolean {
  const signature = Buffer.from(String(headers['x-hubspot-signature-v3'] ?? ''), 'base64');
  const timestamp = String(headers['x-hubspot-request-timestamp'] ?? '');
  if (!/^\d{1,16}$/.test(timestamp) || Math.abs(now.getTime() - Number(timestamp)) > TOLERANCE_MS) return false;
  const address = url.replace(/%[0-9A-Fa-f]{2}/g, (code) => DECODED[code.toUpperCase()] ?? code);
  const expected = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(method + address), body, Buffer.from(timestamp)]))
    .digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

function readHook({ client_secret }: { client_secret: string }, request: HookRequest): HookChange[] | null {
  if (!isSigned(client_secret, request)) return null;
  return Events.parse(JSON.parse(request.body.toString('utf8'))).flatMap((event) => {
    const name = event.subscriptionType.startsWith('object.')
      ? (event.objectTypeId ?? '')
      : event.subscriptionType.split('.')[0]!;
    const kind = KINDS.get(name);
    if (!kind) return [];
    const ids = [event.objectId, event.primaryObjectId, event.newObjectId, ...(event.mergedObjectIds ?? [])];
    return [...new Set(ids)].flatMap((key) => (key ? [{ company_id: event.portalId, kind, key }] : []));
  });
}
