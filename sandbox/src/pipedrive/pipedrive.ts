/**
 * The CRM: its people, deals, and activities, the OAuth server for apps, and the signed tokens of panels. Its state
 * survives a restart.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Facts } from '../storage/facts.ts';
import { Journal } from '../storage/journal.ts';
import {
  type Activity,
  type ActivityType,
  company,
  type Deal,
  type Grant,
  type Person,
  startDeals,
  startPeople,
  startTypes,
  users,
  type Webhook,
} from './records.ts';
import { announce } from './webhooks.ts';

/** The app that Parley has registered. */
export const app = { client_id: 'parley', client_secret: 'sandbox-pipedrive-secret' } as const;

const codeMs = 300_000;
const accessSeconds = 3_599;
const panelSeconds = 300;

/** A refusal in the format of the API. */
export class CrmRefusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(String(body.error));
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

interface Code {
  user_id: number;
  redirect_uri: string;
  until: number;
}

const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
const token = (): string => randomBytes(24).toString('base64url');

export class Pipedrive {
  /** The callback URL of the app, which also receives uninstalls and shows the panel. */
  callback_url: string;
  /** Counts the calls of the API, for tests. */
  calls = 0;
  /** The highest ID of a person that was deleted. IDs are not used again. */
  private removed = 0;
  /** Makes the next calls fail with this status, for tests. */
  failing: { status: number; left: number; retry_after?: number } | null = null;
  private readonly facts = new Facts();
  private readonly codes = new Map<string, Code>();
  private readonly journal: Journal<[string, unknown]>;

  constructor(data_dir: string, callback_url: string) {
    this.callback_url = callback_url;
    this.journal = new Journal({
      directory: join(data_dir, 'pipedrive'),
      head: () => [...this.facts.entries()],
      replay: ([key, value]) => {
        this.facts.apply(key, value);
        return undefined;
      },
    });
    this.facts.onChange((key, value) => void this.journal.append([key, value]));
    if (!this.facts.get('started')) this.start();
  }

  close(): void {
    this.journal.close();
  }

  /** Deletes everything, and starts again. */
  reset(): void {
    this.facts.clear(() => false);
    this.codes.clear();
    this.failing = null;
    this.start();
  }

  private start(): void {
    for (const person of startPeople()) this.facts.put(`person:${person.id}`, person);
    for (const deal of startDeals()) this.facts.put(`deal:${deal.id}`, deal);
    for (const type of startTypes()) this.facts.put(`type:${type.id}`, type);
    this.facts.put('started', true);
  }

  people = (): Person[] => this.facts.list<Person>('person:');
  deals = (): Deal[] => this.facts.list<Deal>('deal:');
  activities = (): Activity[] => this.facts.list<Activity>('activity:');
  types = (): ActivityType[] => this.facts.list<ActivityType>('type:');
  grants = (): Grant[] => this.facts.list<Grant>('grant:');
  webhooks = (): Webhook[] => this.facts.list<Webhook>('hook:');
  person = (id: number): Person => this.find('person', id);
  deal = (id: number): Deal => this.find('deal', id);

  private find<T>(kind: string, id: number): T {
    const record = this.facts.get<T>(`${kind}:${id}`);
    if (!record) throw new CrmRefusal(404, { success: false, error: `The ${kind} was not found` });
    return record;
  }

  /** Creates a person or changes one, and announces it. `source` is `app` for users of the CRM, and `api` for apps. */
  async putPerson(id: number | null, changes: Partial<Person>, source: string): Promise<Person> {
    if (changes.phones !== undefined && !Array.isArray(changes.phones))
      throw new CrmRefusal(400, { success: false, error: 'phones must be an array' });
    const before = id === null ? null : this.person(id);
    const person: Person = {
      ...(before ?? { name: '', phones: [], emails: [] }),
      ...changes,
      custom_fields: { ...before?.custom_fields, ...changes.custom_fields },
      id: before?.id ?? 1 + Math.max(0, this.removed, ...this.people().map((one) => one.id)),
      update_time: timestamp(),
    };
    this.facts.put(`person:${person.id}`, person);
    const action = before ? 'change' : 'create';
    const announced = announce(this.webhooks(), { entity: 'person', action, id: person.id, source });
    // An app does not wait for its own webhook.
    if (source === 'app') await announced;
    return person;
  }

  async removePerson(id: number, merged_to_id?: number): Promise<void> {
    this.person(id);
    this.removed = Math.max(this.removed, id);
    this.facts.remove(`person:${id}`);
    const merged = merged_to_id === undefined ? {} : { merged_to_id };
    await announce(this.webhooks(), { entity: 'person', action: 'delete', id, source: 'app', ...merged });
  }

  addDeal(fields: Partial<Deal>): Deal {
    const id = 1 + Math.max(0, ...this.deals().map((one) => one.id));
    const deal: Deal = {
      ...{ title: '', person_id: null, stage_id: 1, status: 'open', value: 0, currency: 'EUR' },
      ...{ add_time: timestamp(), stage_change_time: null, update_time: timestamp() },
      ...fields,
      id,
    };
    this.facts.put(`deal:${id}`, deal);
    return deal;
  }

  async moveDeal(id: number, changes: Partial<Deal>): Promise<Deal> {
    const before = this.deal(id);
    const isMoved = changes.stage_id !== undefined;
    const stage_change_time = isMoved ? new Date().toISOString() : before.stage_change_time;
    const deal: Deal = { ...before, ...changes, id, update_time: timestamp(), stage_change_time };
    this.facts.put(`deal:${id}`, deal);
    await announce(this.webhooks(), { entity: 'deal', action: 'change', id, source: 'app' });
    return deal;
  }

  addWebhook(hook: Omit<Webhook, 'id'>): Webhook {
    const id = 1 + Math.max(0, ...this.webhooks().map((one) => one.id));
    this.facts.put(`hook:${id}`, { ...hook, id });
    return { ...hook, id };
  }

  removeWebhook(id: number): void {
    this.facts.remove(`hook:${id}`);
  }

  addType(name: string): ActivityType {
    const key_string = name.toLowerCase().replace(/\W+/g, '_');
    const type = { id: this.types().length + 1, name, key_string, active_flag: true };
    this.facts.put(`type:${type.id}`, type);
    return type;
  }

  addActivity(user_id: number, fields: Partial<Activity> & { participants?: { person_id?: number }[] }): Activity {
    const type = fields.type ?? 'call';
    if (!this.types().some(({ key_string }) => key_string === type))
      throw new CrmRefusal(400, { success: false, error: `Activity type ${type} does not exist` });
    const { participants, ...rest } = fields;
    const activity: Activity = {
      subject: '',
      done: false,
      owner_id: user_id,
      due_date: null,
      due_time: null,
      deal_id: null,
      note: '',
      ...rest,
      type,
      person_id: participants?.[0]?.person_id ?? null,
      id: this.activities().length + 1,
      add_time: timestamp(),
      update_time: timestamp(),
    };
    if (activity.person_id !== null) this.person(activity.person_id);
    this.facts.put(`activity:${activity.id}`, activity);
    return activity;
  }

  /** The user authorizes the app, and returns to it with a code. */
  createCode(user_id: number, redirect_uri: string): string {
    const code = token();
    this.codes.set(code, { user_id, redirect_uri, until: Date.now() + codeMs });
    return code;
  }

  exchangeCode(code: string, redirect_uri: string): Grant {
    const found = this.codes.get(code);
    this.codes.delete(code);
    if (!found || found.until < Date.now() || found.redirect_uri !== redirect_uri)
      throw new CrmRefusal(400, { success: false, error: 'invalid_grant' });
    return this.putGrant(found.user_id, token());
  }

  refresh(refresh_token: string): Grant {
    const grant = this.grants().find((one) => one.refresh_token === refresh_token);
    if (!grant) throw new CrmRefusal(400, { success: false, error: 'invalid_grant' });
    return this.putGrant(grant.user_id, refresh_token);
  }

  private putGrant(user_id: number, refresh_token: string): Grant {
    const grant = { user_id, access_token: token(), refresh_token, expires: Date.now() + accessSeconds * 1_000 };
    this.facts.put(`grant:${user_id}`, grant);
    return grant;
  }

  readonly access_seconds = accessSeconds;

  /** Ends the access tokens, as if they had expired. */
  expireTokens(): void {
    for (const grant of this.grants()) this.facts.put(`grant:${grant.user_id}`, { ...grant, expires: 0 });
  }

  revoke(any_token: string): void {
    const grant = this.grants().find((one) => one.refresh_token === any_token || one.access_token === any_token);
    if (grant) this.facts.remove(`grant:${grant.user_id}`);
  }

  /** Returns the user whom the access token belongs to. */
  authenticate(header: string | undefined): number {
    this.calls++;
    if (this.failing && this.failing.left > 0) {
      this.failing.left--;
      const { status, retry_after } = this.failing;
      const headers: Record<string, string> = retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
      throw new CrmRefusal(status, { success: false, error: 'The service is not available' }, headers);
    }
    const grant = this.grants().find((one) => `Bearer ${one.access_token}` === header && one.expires > Date.now());
    if (!grant) throw new CrmRefusal(401, { success: false, error: 'unauthorized access' });
    return grant.user_id;
  }

  isInstalled = (user_id: number): boolean => this.grants().some((grant) => grant.user_id === user_id);

  /** Revokes the user's tokens, and notifies the app. */
  async uninstall(user_id: number): Promise<void> {
    this.facts.remove(`grant:${user_id}`);
    const credentials = Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64');
    const { client_id } = app;
    await fetch(this.callback_url, {
      method: 'DELETE',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, company_id: company.id, user_id, timestamp: timestamp() }),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => {
      // The real service ignores the response too.
    });
  }

  /** The URL of the panel, as the frame in a record loads it. */
  panelUrl(user_id: number, resource: 'person' | 'deal', id: number, theme: string): string {
    const query = new URLSearchParams({
      resource,
      view: 'details',
      userId: String(user_id),
      companyId: String(company.id),
      selectedIds: String(id),
      id: randomBytes(8).toString('hex'),
      theme,
      token: this.signPanel(user_id),
    });
    return `${this.callback_url}?${query}`;
  }

  /** A JWT with HMAC-SHA256, signed with the client secret. */
  signPanel(user_id: number, seconds = panelSeconds, secret: string = app.client_secret): string {
    const now = Math.floor(Date.now() / 1_000);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { userId: user_id, companyId: company.id, iat: now, exp: now + seconds };
    const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  }

  user = (id: number) => users.find((one) => one.id === id) ?? users[0]!;
}
