/**
 * The second CRM: its contacts, deals, and communications, the OAuth server for apps, and signed webhooks. Its state
 * survives a restart.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Facts } from '../storage/facts.ts';
import { Journal } from '../storage/journal.ts';

/** The app that Parley has registered. */
export const app = { client_id: 'parley', client_secret: 'sandbox-hubspot-secret', id: 4_002 } as const;
export const portal = { id: 80_001, name: 'Harbour Coffee Marketing' } as const;
export const users = [{ id: 5001, firstName: 'Maya', lastName: 'Lindt', email: 'maya.lindt@crm.localhost' }] as const;

const CODE_MS = 300_000;
export const ACCESS_SECONDS = 1_800;

/** A refusal in the format of the API. */
export class HubspotRefusal extends Error {
  readonly status: number;
  readonly category: string;
  readonly headers: Record<string, string>;
  constructor(status: number, category: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.category = category;
    this.headers = headers;
  }
}

export type Kind = 'contacts' | 'deals' | 'communications';
export interface HubspotObject {
  id: string;
  kind: Kind;
  properties: Record<string, string>;
  /** The IDs of contacts and deals. */
  linked: Partial<Record<Kind, string[]>>;
  createdAt: string;
  updatedAt: string;
}
interface Grant {
  user_id: number;
  access_token: string;
  refresh_token: string;
  expires: number;
}

const token = (): string => randomBytes(24).toString('base64url');
const YES_NO = [
  { label: 'Yes', value: 'true' },
  { label: 'No', value: 'false' },
];
const text = (name: string, label: string, fieldType = 'text') => ({ name, label, type: 'string', fieldType });

export const properties = [
  text('firstname', 'First Name'),
  text('lastname', 'Last Name'),
  text('email', 'Email'),
  text('city', 'City'),
  text('mobilephone', 'Mobile Phone Number', 'phonenumber'),
  text('phone', 'Phone Number', 'phonenumber'),
  { name: 'sms_consent', label: 'Text message consent', type: 'bool', fieldType: 'booleancheckbox', options: YES_NO },
  { name: 'opted_out', label: 'Opted out', type: 'bool', fieldType: 'booleancheckbox', options: YES_NO },
  { ...text('lastmodifieddate', 'Last Modified Date'), modificationMetadata: { readOnlyValue: true } },
];

export const pipelines = [
  {
    id: 'default',
    label: 'Sales Pipeline',
    stages: [
      { id: 'appointmentscheduled', label: 'Appointment Scheduled' },
      { id: 'qualifiedtobuy', label: 'Qualified To Buy' },
      { id: 'closedwon', label: 'Closed Won' },
    ],
  },
];

const START_CONTACTS: readonly Record<string, string>[] = [
  { firstname: 'Emil', lastname: 'Strand', mobilephone: '+49 170 0456201', city: 'Kiel', sms_consent: 'true' },
  { firstname: 'Fatou', lastname: 'Diallo', phone: '0170 0456202' },
  { firstname: 'Gus', lastname: 'Hahn', email: 'gus.hahn@customers.localhost' },
];

/** HubSpot derives these properties from the stage. */
const closedProperties = (stage: string): Record<string, string> => ({
  hs_is_closed: String(stage.startsWith('closed')),
  hs_is_closed_won: String(stage === 'closedwon'),
});

const START_DEAL = { dealname: 'Roastery tour', dealstage: 'appointmentscheduled', amount: '480' };

export class Hubspot {
  /** The URL that receives webhooks. */
  hook_url: string;
  /** The URL that people return to after the authorization. */
  callback_url: string;
  /** Makes the next calls fail with this status, for tests. */
  failing: { status: number; left: number; retry_after?: number } | null = null;
  private readonly facts = new Facts();
  private readonly codes = new Map<string, { user_id: number; redirect_uri: string; until: number }>();
  private readonly journal: Journal<[string, unknown]>;

  constructor(data_dir: string, urls: { callback: string; hook: string }) {
    this.callback_url = urls.callback;
    this.hook_url = urls.hook;
    this.journal = new Journal({
      directory: join(data_dir, 'hubspot'),
      head: () => [...this.facts.entries()],
      replay: ([key, value]) => {
        this.facts.apply(key, value);
        return undefined;
      },
    });
    this.facts.onChange((key, value) => void this.journal.append([key, value]));
    if (!this.facts.get('next')) this.start();
  }

  close(): void {
    this.journal.close();
  }

  reset(): void {
    this.facts.clear(() => false);
    this.codes.clear();
    this.failing = null;
    this.start();
  }

  private start(): void {
    this.facts.put('next', 101);
    for (const contact of START_CONTACTS) this.store('contacts', null, contact);
    this.store('deals', null, START_DEAL, { contacts: ['101'] });
  }

  list = (kind: Kind): HubspotObject[] => this.facts.list<HubspotObject>(`${kind}:`);
  /** A contact that was merged is found as the other one. */
  find = (kind: Kind, id: string): HubspotObject | undefined =>
    this.facts.get<HubspotObject>(`${kind}:${this.facts.get<string>(`merged:${id}`) ?? id}`);
  require(kind: Kind, id: string): HubspotObject {
    const found = this.find(kind, id);
    if (!found) throw new HubspotRefusal(404, 'OBJECT_NOT_FOUND', 'Object not found.');
    return found;
  }

  store(
    kind: Kind,
    id: string | null,
    changes: Record<string, string>,
    linked: HubspotObject['linked'] = {},
  ): HubspotObject {
    const before = id === null ? null : this.require(kind, id);
    const now = new Date().toISOString();
    const next = this.facts.get<number>('next')!;
    if (!before) this.facts.put('next', next + 1);
    const isMoved = changes.dealstage !== undefined && changes.dealstage !== before?.properties.dealstage;
    const stored: HubspotObject = {
      id: before?.id ?? String(next),
      kind,
      linked: { ...before?.linked, ...linked },
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      properties: {
        ...{ createdate: now, ...before?.properties, ...changes },
        ...{ lastmodifieddate: now, hs_lastmodifieddate: now },
        ...(isMoved ? { hs_v2_date_entered_current_stage: now } : {}),
        ...(isMoved ? closedProperties(changes.dealstage!) : {}),
      },
    };
    this.facts.put(`${kind}:${stored.id}`, stored);
    return stored;
  }

  remove(kind: Kind, id: string, into?: string): void {
    this.facts.remove(`${kind}:${id}`);
    if (!into) return;
    this.facts.put(`merged:${id}`, into);
    for (const deal of this.list('deals')) {
      const contacts = deal.linked.contacts?.map((one) => (one === id ? into : one));
      this.facts.put(`deals:${deal.id}`, { ...deal, linked: { ...deal.linked, ...(contacts ? { contacts } : {}) } });
    }
  }

  createCode(user_id: number, redirect_uri: string): string {
    const code = token();
    this.codes.set(code, { user_id, redirect_uri, until: Date.now() + CODE_MS });
    return code;
  }

  exchangeCode(code: string, redirect_uri: string): Grant {
    const found = this.codes.get(code);
    this.codes.delete(code);
    if (!found || found.until < Date.now() || found.redirect_uri !== redirect_uri)
      throw new HubspotRefusal(400, 'BAD_AUTH_CODE', 'missing or unknown auth code');
    return this.putGrant(found.user_id, token());
  }

  grants = (): Grant[] => this.facts.list<Grant>('grant:');

  refresh(refresh_token: string): Grant {
    const grant = this.grants().find((one) => one.refresh_token === refresh_token);
    if (!grant) throw new HubspotRefusal(400, 'BAD_REFRESH_TOKEN', 'missing or invalid refresh token');
    return this.putGrant(grant.user_id, refresh_token);
  }

  private putGrant(user_id: number, refresh_token: string): Grant {
    const grant = { user_id, access_token: token(), refresh_token, expires: Date.now() + ACCESS_SECONDS * 1_000 };
    this.facts.put(`grant:${user_id}`, grant);
    return grant;
  }

  revoke(any_token: string): void {
    const grant = this.grants().find((one) => [one.refresh_token, one.access_token].includes(any_token));
    if (grant) this.facts.remove(`grant:${grant.user_id}`);
  }

  findToken = (access_token: string): Grant | undefined =>
    this.grants().find((one) => one.access_token === access_token && one.expires > Date.now());

  /** Refuses calls without a valid token, and calls that are set to fail. */
  authenticate(header: string | undefined): void {
    if (this.failing && this.failing.left > 0) {
      this.failing.left--;
      const { status, retry_after } = this.failing;
      const headers: Record<string, string> = retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
      const category = status === 429 ? 'RATE_LIMITS' : 'INTERNAL_ERROR';
      throw new HubspotRefusal(status, category, 'You have reached your secondly limit.', headers);
    }
    if (!this.findToken(header?.replace(/^Bearer /, '') ?? ''))
      throw new HubspotRefusal(401, 'EXPIRED_AUTHENTICATION', 'The OAuth token used to make this call expired.');
  }

  /** Sends events, signed with version 3. */
  async announce(events: readonly Record<string, unknown>[]): Promise<void> {
    const body = JSON.stringify(
      events.map((event, index) => ({
        ...{ eventId: Date.now() + index, subscriptionId: 1, portalId: portal.id, appId: app.id },
        ...{ occurredAt: Date.now(), attemptNumber: 0, changeSource: 'CRM_UI', ...event },
      })),
    );
    const timestamp = String(Date.now());
    const signature = createHmac('sha256', app.client_secret)
      .update(`POST${this.hook_url}${body}${timestamp}`)
      .digest('base64');
    await fetch(this.hook_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hubspot-signature-v3': signature,
        'x-hubspot-request-timestamp': timestamp,
      },
      body,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => {
      // The real service repeats failed webhooks. Apps also ask for changes.
    });
  }
}
