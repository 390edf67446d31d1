/** The CRM under /pipedrive: OAuth, the API in both of its versions, its pages, and controls for tests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Input, inputNumber, inputObject, inputString } from '../problem.ts';
import { contactRoutes, personJson, userRoutes } from './contacts.ts';
import { dealPage, failurePage, homePage, personPage, showPage } from './pages.ts';
import { app, CrmRefusal, type Pipedrive } from './pipedrive.ts';
import { type Activity, company } from './records.ts';

type Id = { Params: { id: string } };
type Query = { Querystring: Record<string, string | undefined> };
type Form = { Body: URLSearchParams };

const found = (data: unknown, more: object = {}) => ({ success: true, data, ...more });
/** Formatting characters do not count in a search for phone numbers. */
const digits = (text: string): string => text.replace(/\D/g, '');

export function pipedriveRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  api.register(
    async (scope) => {
      scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, new URLSearchParams(String(body))),
      );
      scope.setErrorHandler((error: Error, _request, reply) => {
        if (error instanceof CrmRefusal) return reply.status(error.status).headers(error.headers).send(error.body);
        process.stderr.write(`sandbox: ${error.stack}\n`);
        return reply.status(500).send({ success: false, error: 'The sandbox failed. See its log.' });
      });
      oauthRoutes(scope, pipedrive);
      recordRoutes(scope, pipedrive);
      contactRoutes(scope, pipedrive);
      activityRoutes(scope, pipedrive);
      pageRoutes(scope, pipedrive);
    },
    { prefix: '/pipedrive' },
  );
  controlRoutes(api, pipedrive);
  userRoutes(api, pipedrive);
}

function oauthRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  api.post<Form>('/oauth/token', (request) => {
    requireApp(request);
    const form = request.body;
    const grant =
      form.get('grant_type') === 'refresh_token'
        ? pipedrive.refresh(form.get('refresh_token') ?? '')
        : pipedrive.exchangeCode(form.get('code') ?? '', form.get('redirect_uri') ?? '');
    return {
      access_token: grant.access_token,
      refresh_token: grant.refresh_token,
      token_type: 'Bearer',
      scope: 'base,contacts:full,deals:full,activities:full,admin',
      expires_in: pipedrive.access_seconds,
      api_domain: `http://${request.headers.host}/pipedrive`,
    };
  });
  api.post<Form>('/oauth/revoke', (request) => {
    requireApp(request);
    pipedrive.revoke(request.body.get('token') ?? '');
    return { success: true };
  });
}

function requireApp({ headers }: FastifyRequest): void {
  const expected = `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`;
  if (headers.authorization !== expected) throw new CrmRefusal(401, { success: false, error: 'invalid_client' });
}

function recordRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  const authenticate = ({ headers }: FastifyRequest): number => pipedrive.authenticate(headers.authorization);
  api.get('/api/v1/users/me', (request) => {
    const user = pipedrive.user(authenticate(request));
    return found({ ...user, company_id: company.id, company_name: company.name, company_domain: company.domain });
  });
  api.get<Query>('/api/v2/persons/search', (request) => {
    authenticate(request);
    const term = digits(request.query.term ?? '');
    const items = pipedrive
      .people()
      .filter(({ phones }) => phones.some(({ value }) => digits(value).includes(term)))
      .map((item) => ({ result_score: 1, item: { id: item.id, name: item.name } }));
    return found({ items });
  });
  api.get<Id>('/api/v2/persons/:id', (request) => {
    authenticate(request);
    return found(personJson(pipedrive.person(Number(request.params.id))));
  });
  api.get<Id>('/api/v2/deals/:id', (request) => {
    authenticate(request);
    return found(pipedrive.deal(Number(request.params.id)));
  });
}

function activityRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  const authenticate = ({ headers }: FastifyRequest): number => pipedrive.authenticate(headers.authorization);
  api.get('/api/v1/activityTypes', (request) => {
    authenticate(request);
    return found(pipedrive.types());
  });
  api.post('/api/v1/activityTypes', (request) => {
    authenticate(request);
    return found(pipedrive.addType(String((request.body as Input).name)));
  });
  api.get<Query>('/api/v2/activities', (request) => {
    authenticate(request);
    const { person_id, deal_id, updated_since = '' } = request.query;
    const activities = pipedrive
      .activities()
      .filter(
        (one) =>
          (!person_id || one.person_id === Number(person_id)) &&
          (!deal_id || one.deal_id === Number(deal_id)) &&
          one.update_time >= updated_since,
      );
    return found(activities, { additional_data: { next_cursor: null } });
  });
  api.post('/api/v2/activities', (request, reply) => {
    const user_id = authenticate(request);
    return reply.status(201).send(found(pipedrive.addActivity(user_id, request.body as Partial<Activity>)));
  });
}

function pageRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  const readUser = ({ query }: FastifyRequest): number => pipedrive.user(Number((query as Input).user)).id;
  api.get<Query>('/oauth/authorize', (request, reply) => {
    const { client_id, redirect_uri, state } = request.query;
    if (client_id !== app.client_id || redirect_uri !== pipedrive.callback_url)
      return showPage(reply.status(400), pipedrive, failurePage('The app is unknown, or its callback URL is another.'));
    return showPage(reply, pipedrive, homePage(pipedrive, readUser(request), { state: state ?? '' }));
  });
  api.post<Form>('/oauth/authorize', (request, reply) => {
    const { callback_url } = pipedrive;
    const user_id = Number(request.body.get('user'));
    const state = request.body.get('state') ?? '';
    const answer: Record<string, string> =
      request.body.get('choice') === 'allow'
        ? { code: pipedrive.createCode(user_id, callback_url) }
        : { error: 'user_denied' };
    return reply.redirect(`${callback_url}?${new URLSearchParams({ ...answer, ...(state && { state }) })}`, 303);
  });
  api.post<Form>('/uninstall', async (request, reply) => {
    const user_id = Number(request.body.get('user'));
    await pipedrive.uninstall(user_id);
    return reply.redirect(`/pipedrive?user=${user_id}`, 303);
  });
  api.get('/panel_token', (request) => ({ token: pipedrive.signPanel(readUser(request)) }));
  api.get('', (request, reply) => showPage(reply, pipedrive, homePage(pipedrive, readUser(request), null)));
  api.get<Id>('/person/:id', (request, reply: FastifyReply) =>
    showPage(reply, pipedrive, personPage(pipedrive, readUser(request), Number(request.params.id))),
  );
  api.get<Id>('/deal/:id', (request, reply: FastifyReply) =>
    showPage(reply, pipedrive, dealPage(pipedrive, readUser(request), Number(request.params.id))),
  );
}

/** The sandbox's own API, for tests. */
function controlRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  api.get('/api/pipedrive', () => ({
    activities: pipedrive.activities(),
    installed: pipedrive.grants().map(({ user_id }) => user_id),
    calls: pipedrive.calls,
  }));
  api.put('/api/pipedrive/app', ({ body }) => {
    pipedrive.callback_url = inputString(inputObject(body, ['callback_url']), 'callback_url', { min: 1, max: 500 });
    return { callback_url: pipedrive.callback_url };
  });
  api.post('/api/pipedrive/codes', ({ body }) => {
    const user_id = inputNumber(inputObject(body, ['user_id']), 'user_id', { min: 1, max: 1e9 });
    return { code: pipedrive.createCode(user_id, pipedrive.callback_url) };
  });
  api.post('/api/pipedrive/panel_tokens', ({ body }) => {
    const input = inputObject(body, ['user_id', 'seconds']);
    const user_id = inputNumber(input, 'user_id', { min: 1, max: 1e9 });
    const seconds = input.seconds === undefined ? 300 : inputNumber(input, 'seconds', { min: -3_600, max: 3_600 });
    return { token: pipedrive.signPanel(user_id, seconds) };
  });
  api.post('/api/pipedrive/failures', ({ body }) => {
    const input = inputObject(body, ['status', 'count', 'retry_after']);
    const status = inputNumber(input, 'status', { min: 400, max: 599 });
    const wait = { min: 0, max: 3_600 };
    pipedrive.failing = {
      ...{ status, left: inputNumber(input, 'count', { min: 0, max: 1_000 }) },
      ...(input.retry_after === undefined ? {} : { retry_after: inputNumber(input, 'retry_after', wait) }),
    };
    return pipedrive.failing;
  });
  api.post('/api/pipedrive/expired_tokens', (_request, reply) => {
    pipedrive.expireTokens();
    return reply.status(204).send();
  });
  api.post('/api/pipedrive/uninstalls', async ({ body }, reply) => {
    await pipedrive.uninstall(inputNumber(inputObject(body, ['user_id']), 'user_id', { min: 1, max: 1e9 }));
    return reply.status(204).send();
  });
  api.post('/api/pipedrive/reset', (_request, reply) => {
    pipedrive.reset();
    return reply.status(204).send();
  });
}
