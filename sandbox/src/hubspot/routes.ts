/** The second CRM under /hubspot: OAuth, the API, its page for the consent, and controls for tests. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Input, inputNumber, inputObject } from '../problem.ts';
import {
  ACCESS_SECONDS,
  app,
  type Hubspot,
  type HubspotObject,
  HubspotRefusal,
  type Kind,
  pipelines,
  portal,
  properties,
  users,
} from './hubspot.ts';

type Id = { Params: { id: string } };
type Query = { Querystring: Record<string, string | undefined> };
type Form = { Body: URLSearchParams };
interface Filter {
  propertyName: string;
  operator: string;
  value: string;
}
interface Search {
  filterGroups?: { filters: Filter[] }[];
  sorts?: { propertyName: string }[];
  properties?: string[];
  limit?: number;
  after?: string;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
const digits = (text = ''): string => text.replace(/\D/g, '');
const toJson = ({ id, properties: all, createdAt, updatedAt }: HubspotObject, names: readonly string[] = []) => ({
  ...{ id, createdAt, updatedAt, archived: false },
  properties: Object.fromEntries(
    [...new Set([...names, 'hs_object_id', 'createdate', 'lastmodifieddate'])].map((name) => [
      name,
      name === 'hs_object_id' ? id : (all[name] ?? null),
    ]),
  ),
});

export function hubspotRoutes(api: FastifyInstance, hubspot: Hubspot): void {
  api.register(
    async (scope) => {
      scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, new URLSearchParams(String(body))),
      );
      scope.setErrorHandler((error: Error, _request, reply) => {
        if (error instanceof HubspotRefusal)
          return reply
            .status(error.status)
            .headers(error.headers)
            .send({ status: 'error', message: error.message, category: error.category });
        process.stderr.write(`sandbox: ${error.stack}\n`);
        return reply.status(500).send({ status: 'error', message: 'The sandbox failed. See its log.' });
      });
      oauthRoutes(scope, hubspot);
      pageRoutes(scope, hubspot);
      accountRoutes(scope, hubspot);
      objectRoutes(scope, hubspot);
    },
    { prefix: '/hubspot' },
  );
  controlRoutes(api, hubspot);
}

function oauthRoutes(api: FastifyInstance, hubspot: Hubspot): void {
  const requireApp = (form: URLSearchParams): void => {
    if (form.get('client_id') !== app.client_id || form.get('client_secret') !== app.client_secret)
      throw new HubspotRefusal(401, 'BAD_CLIENT_ID', 'missing or unknown client id');
  };
  api.get<Query>('/oauth/authorize', (request, reply) => {
    const { client_id, redirect_uri, state = '' } = request.query;
    if (client_id !== app.client_id || redirect_uri !== hubspot.callback_url)
      return reply.status(400).send('The app is unknown, or its redirect URL is another.');
    const target = new URL(hubspot.callback_url).origin;
    return reply
      .header('content-security-policy', `default-src 'none'; form-action 'self' ${target}; frame-ancestors 'none'`)
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><html lang="en"><head><title>Connect app · Parley sandbox</title></head><body>
        <main><h1>Connect Parley to ${portal.name}?</h1><p>Sandbox CRM in place of HubSpot</p>
        <form method="post" action="/hubspot/oauth/authorize">
        <input type="hidden" name="state" value="${state.replace(/[^\w.-]/g, '')}" /><button>Connect app</button>
        </form></main></body></html>`);
  });
  api.post<Form>('/oauth/authorize', (request, reply) => {
    const code = hubspot.createCode(users[0].id, hubspot.callback_url);
    const state = request.body.get('state') ?? '';
    return reply.redirect(`${hubspot.callback_url}?${new URLSearchParams({ code, ...(state && { state }) })}`, 303);
  });
  api.post<Form>('/oauth/2026-03/token', ({ body }) => {
    requireApp(body);
    const grant =
      body.get('grant_type') === 'refresh_token'
        ? hubspot.refresh(body.get('refresh_token') ?? '')
        : hubspot.exchangeCode(body.get('code') ?? '', body.get('redirect_uri') ?? '');
    const { access_token, refresh_token } = grant;
    return { access_token, refresh_token, token_type: 'bearer', expires_in: ACCESS_SECONDS };
  });
  api.post<Form>('/oauth/2026-03/token/introspect', ({ body }) => {
    requireApp(body);
    const grant = hubspot.findToken(body.get('token') ?? '');
    if (!grant) return { active: false };
    return { active: true, hub_id: portal.id, user_id: grant.user_id, app_id: app.id, token_type: 'access' };
  });
  api.post<Form>('/oauth/2026-03/token/revoke', ({ body }, reply) => {
    requireApp(body);
    hubspot.revoke(body.get('token') ?? '');
    return reply.status(204).send();
  });
}

/** The pages that links to records lead to. */
function pageRoutes(api: FastifyInstance, hubspot: Hubspot): void {
  api.get<{ Params: { type: string; id: string } }>('/record/:type/:id', (request, reply) => {
    const { type, id } = request.params;
    const { properties: facts } = hubspot.require(type === '0-3' ? 'deals' : 'contacts', id);
    const name = facts.dealname ?? [facts.firstname, facts.lastname].filter(Boolean).join(' ');
    return reply
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><html lang="en"><head><title>${escapeHtml(name)} · Parley sandbox</title></head><body>
        <main><h1>${escapeHtml(name)}</h1><p>Sandbox CRM in place of HubSpot</p></main></body></html>`);
  });
}

function accountRoutes(api: FastifyInstance, hubspot: Hubspot): void {
  const authenticate = ({ headers }: FastifyRequest): void => hubspot.authenticate(headers.authorization);
  api.get('/account-info/v3/details', (request) => {
    authenticate(request);
    return {
      portalId: portal.id,
      accountType: 'STANDARD',
      ...{ uiDomain: 'app.hubspot.com', timeZone: 'Europe/Berlin', companyCurrency: 'EUR' },
    };
  });
  api.get<Id>('/crm/v3/owners/:id', (request) => {
    authenticate(request);
    const user = users.find(({ id }) => String(id) === request.params.id);
    if (!user) throw new HubspotRefusal(404, 'OBJECT_NOT_FOUND', 'Owner not found');
    return { ...user, id: String(user.id), userId: user.id };
  });
  api.get('/crm/v3/properties/contacts', (request) => {
    authenticate(request);
    return { results: properties };
  });
  api.get('/crm/v3/pipelines/deals', (request) => {
    authenticate(request);
    return { results: pipelines };
  });
}

const readKind = (text: string): Kind => {
  if (text === 'contacts' || text === 'deals' || text === 'communications') return text;
  throw new HubspotRefusal(400, 'VALIDATION_ERROR', `Unable to infer object type from: ${text}`);
};

type Objects = { Params: { kind: string; id: string } };

function objectRoutes(api: FastifyInstance, hubspot: Hubspot): void {
  const authenticate = ({ headers }: FastifyRequest): void => hubspot.authenticate(headers.authorization);
  api.get<Objects & Query>('/crm/v3/objects/:kind', (request) => {
    authenticate(request);
    const { properties: names = '', limit = '10', after = '0' } = request.query;
    const all = hubspot.list(readKind(request.params.kind)).filter(({ id }) => Number(id) > Number(after));
    return pageJson(all, names.split(','), Number(limit), (last) => last.id);
  });
  api.get<Objects & Query>('/crm/v3/objects/:kind/:id', (request) => {
    authenticate(request);
    const { kind, id } = request.params;
    const found = hubspot.require(readKind(kind), id);
    const { associations: wanted } = request.query;
    const linked =
      wanted === 'deals'
        ? hubspot.list('deals').flatMap((deal) => (deal.linked.contacts?.includes(found.id) ? deal.id : []))
        : (found.linked.contacts ?? []);
    // A deal and its contact have several kinds of associations.
    const results = linked.flatMap((one) => ['deal_to_contact', 'labeled'].map((type) => ({ id: one, type })));
    const associations = wanted && results.length > 0 ? { [wanted]: { results } } : {};
    return { ...toJson(found, request.query.properties?.split(',')), associations };
  });
  api.post<Objects & { Body: { properties?: string[]; inputs: { id: string }[] } }>(
    '/crm/v3/objects/:kind/batch/read',
    (request) => {
      authenticate(request);
      const kind = readKind(request.params.kind);
      const found = request.body.inputs.flatMap(({ id }) => hubspot.find(kind, id) ?? []);
      return { status: 'COMPLETE', results: found.map((one) => toJson(one, request.body.properties)) };
    },
  );
  api.post<Objects & { Body: Search }>('/crm/v3/objects/:kind/search', (request) => {
    authenticate(request);
    return search(hubspot.list(readKind(request.params.kind)), request.body);
  });
  api.post<Objects & { Body: { properties: Record<string, string>; associations?: { to: { id: string } }[] } }>(
    '/crm/v3/objects/:kind',
    (request, reply) => {
      authenticate(request);
      const { properties: values, associations = [] } = request.body;
      const contacts = associations.map(({ to }) => to.id);
      const stored = hubspot.store(readKind(request.params.kind), null, values, { contacts });
      return reply.status(201).send(toJson(stored, Object.keys(values)));
    },
  );
  api.patch<Objects & { Body: { properties: Record<string, string> } }>('/crm/v3/objects/:kind/:id', (request) => {
    authenticate(request);
    const { kind, id } = request.params;
    const { properties: values } = request.body;
    const stored = hubspot.store(readKind(kind), id, values);
    void hubspot.announce([{ subscriptionType: 'contact.propertyChange', objectId: Number(id), changeSource: 'API' }]);
    return toJson(stored, Object.keys(values));
  });
}

function pageJson(
  all: readonly HubspotObject[],
  names: readonly string[],
  limit: number,
  after: (last: HubspotObject) => string,
) {
  const shown = all.slice(0, limit);
  const last = shown.at(-1);
  return {
    results: shown.map((one) => toJson(one, names)),
    ...(last && all.length > shown.length ? { paging: { next: { after: after(last) } } } : {}),
  };
}

function search(objects: readonly HubspotObject[], body: Search) {
  const { filterGroups = [], sorts = [], properties: names = [], limit = 10, after = '0' } = body;
  const matches = (one: HubspotObject, { propertyName, operator, value }: Filter): boolean => {
    if (propertyName === 'associations.contact') return one.linked.contacts?.includes(value) ?? false;
    const own = one.properties[propertyName] ?? '';
    if (operator === 'CONTAINS_TOKEN') {
      const key = propertyName.includes('mobile') ? 'mobilephone' : 'phone';
      return digits(one.properties[key]).endsWith(digits(value));
    }
    const [left, right] = [Date.parse(own), Number(value)];
    return operator === 'GTE' ? left >= right : left === right;
  };
  const key = sorts[0]?.propertyName;
  const all = objects
    .filter(
      (one) => filterGroups.length === 0 || filterGroups.some(({ filters }) => filters.every((f) => matches(one, f))),
    )
    .toSorted((a, b) => (key ? (a.properties[key] ?? '').localeCompare(b.properties[key] ?? '') : 0));
  const from = Number(after);
  const rest = all.slice(from);
  return { total: all.length, ...pageJson(rest, names, limit, () => String(from + limit)) };
}

/** Actions of the CRM's users, and the sandbox's own API for tests. */
function controlRoutes(api: FastifyInstance, hubspot: Hubspot): void {
  const announce = (event: string, more: Record<string, unknown>) =>
    hubspot.announce([{ subscriptionType: event, ...more }]);
  api.get('/api/hubspot', () => ({
    contacts: hubspot.list('contacts'),
    deals: hubspot.list('deals'),
    communications: hubspot.list('communications'),
    connected: hubspot.grants().map(({ user_id }) => user_id),
  }));
  api.put('/api/hubspot/app', ({ body }) => {
    const { callback_url, hook_url } = inputObject(body, ['callback_url', 'hook_url']) as Record<string, string>;
    if (callback_url) hubspot.callback_url = callback_url;
    if (hook_url) hubspot.hook_url = hook_url;
    return { callback_url: hubspot.callback_url, hook_url: hubspot.hook_url };
  });
  api.post('/api/hubspot/codes', () => ({ code: hubspot.createCode(users[0].id, hubspot.callback_url) }));
  api.post('/api/hubspot/contacts', async ({ body }) => {
    const stored = hubspot.store('contacts', null, body as Record<string, string>);
    await announce('contact.creation', { objectId: Number(stored.id) });
    return stored;
  });
  api.put<Id>('/api/hubspot/contacts/:id', async ({ params, body }) => {
    const stored = hubspot.store('contacts', params.id, body as Record<string, string>);
    await announce('contact.propertyChange', { objectId: Number(params.id) });
    return stored;
  });
  api.delete<Id>('/api/hubspot/contacts/:id', async ({ params }, reply) => {
    hubspot.remove('contacts', params.id);
    await announce('contact.deletion', { objectId: Number(params.id) });
    return reply.status(204).send();
  });
  api.post('/api/hubspot/merges', async ({ body }, reply) => {
    const { from, into } = inputObject(body, ['from', 'into']) as Input;
    const merged = hubspot.require('contacts', String(from));
    const kept = hubspot.require('contacts', String(into));
    hubspot.store('contacts', kept.id, { ...merged.properties, ...kept.properties });
    hubspot.remove('contacts', merged.id, kept.id);
    const ids = { primaryObjectId: Number(kept.id), mergedObjectIds: [Number(merged.id)] };
    await announce('contact.merge', { ...ids, newObjectId: Number(kept.id) });
    return reply.status(204).send();
  });
  api.put<Id>('/api/hubspot/deals/:id', async ({ params, body }) => {
    const stored = hubspot.store('deals', params.id, body as Record<string, string>);
    await announce('deal.propertyChange', { objectId: Number(params.id), propertyName: 'dealstage' });
    return stored;
  });
  api.post('/api/hubspot/failures', ({ body }) => {
    const input = inputObject(body, ['status', 'count', 'retry_after']);
    hubspot.failing = {
      status: inputNumber(input, 'status', { min: 400, max: 599 }),
      left: inputNumber(input, 'count', { min: 0, max: 1_000 }),
      ...(input.retry_after === undefined
        ? {}
        : { retry_after: inputNumber(input, 'retry_after', { min: 0, max: 3_600 }) }),
    };
    return hubspot.failing;
  });
  api.post('/api/hubspot/reset', (_request, reply) => {
    hubspot.reset();
    return reply.status(204).send();
  });
}
