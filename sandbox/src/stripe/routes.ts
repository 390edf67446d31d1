/**
 * The payment API under /v1, as its official client calls it, and the sandbox's own API for the page and for tests.
 * Browsers send the publishable key and the secret of one payment; the server sends the secret key.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inputChoice, inputObject, inputString } from '../problem.ts';
import { cardList } from './cards.ts';
import { readForm } from './form.ts';
import type { Charge, Intent, Method } from './objects.ts';
import { type Stripe, StripeError } from './stripe.ts';

type Id = { Params: { id: string } };
type Form = ReturnType<typeof readForm>;
export const SECRET_KEY = 'sk_test_sandbox';
export const PUBLISHABLE_KEY = 'pk_test_sandbox';

export function stripeRoutes(api: FastifyInstance, stripe: Stripe): void {
  ownRoutes(api, stripe);
  api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, readForm(String(body))),
    );
    scope.setErrorHandler((error: Error, _request, reply) => {
      const refusal =
        error instanceof StripeError
          ? error
          : new StripeError(500, { type: 'api_error', message: 'The sandbox failed. See its log.' });
      if (refusal.status === 500) process.stderr.write(`sandbox: ${error.stack}\n`);
      return reply.status(refusal.status).send(refusal.body);
    });
    serverRoutes(scope, stripe);
    browserRoutes(scope, stripe);
  });
}

/** The key arrives as a bearer token from servers, and as a field from browsers. */
function requireKey(request: FastifyRequest, form: Form, key: string): void {
  const given = request.headers.authorization?.replace(/^Bearer /, '') ?? form.text('key');
  if (given !== key)
    throw new StripeError(401, { type: 'invalid_request_error', message: 'The API key is not valid.' });
}

function serverRoutes(scope: FastifyInstance, stripe: Stripe): void {
  const post = (path: string, run: (form: Form, id: string) => unknown) =>
    scope.post<Id>(path, (request, reply) => {
      const form = request.body as Form;
      requireKey(request, form, SECRET_KEY);
      return once(stripe, request, reply, form, () => run(form, request.params.id));
    });
  const get = (path: string, run: (id: string, query: Form) => unknown) =>
    scope.get<Id>(path, (request) => {
      const query = readForm(request.url.split('?')[1] ?? '');
      requireKey(request, query, SECRET_KEY);
      return run(request.params.id, query);
    });
  post('/v1/customers', (form) => stripe.createCustomer(form.text('name') ?? '', form.group('metadata')));
  post('/v1/payment_intents', (form) => {
    const intent = stripe.createIntent('payment_intent', readIntent(form));
    const method = form.text('payment_method');
    if (form.text('confirm') !== 'true' || !method) return intent;
    return expand(stripe, stripe.confirm(intent.id, method, form.text('off_session') !== 'true'));
  });
  post('/v1/payment_intents/:id/cancel', (_form, id) => stripe.cancel(id));
  get('/v1/payment_intents/:id', (id) => expand(stripe, stripe.get<Intent>(id)));
  post('/v1/setup_intents', (form) => stripe.createIntent('setup_intent', readIntent(form)));
  get('/v1/setup_intents/:id', (id) => {
    const setup = stripe.get<Intent>(id);
    return setup.payment_method ? { ...setup, payment_method: shown(stripe.get<Method>(setup.payment_method)) } : setup;
  });
  post('/v1/payment_methods/:id/detach', (_form, id) => shown(stripe.detach(id)));
  post('/v1/refunds', (form) => {
    const amount = form.text('amount');
    return stripe.refund(form.text('payment_intent') ?? '', amount === undefined ? undefined : Number(amount));
  });
  get('/v1/payment_intents', (_id, query) => {
    const page = listPage('/v1/payment_intents', stripe.payments(), query);
    return { ...page, data: page.data.map((intent) => expand(stripe, intent)) };
  });
  get('/v1/refunds', (_id, query) => listPage('/v1/refunds', stripe.refunds(), query));
  get('/v1/disputes', (_id, query) => listPage('/v1/disputes', stripe.disputes(query.text('payment_intent')), query));
}

/** A page of a list, newest first. */
function listPage<T extends { id: string; created: number }>(url: string, all: readonly T[], query: Form) {
  const from = Number(query.text('created[gte]') ?? 0);
  const until = Number(query.text('created[lt]') ?? Number.MAX_SAFE_INTEGER);
  const after = query.text('starting_after');
  const place = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && place < 0)
    throw new StripeError(400, { type: 'invalid_request_error', message: `No such object: '${after}'` });
  const rest = all.slice(place + 1).filter(({ created }) => created >= from && created < until);
  const size = Math.min(Number(query.text('limit') ?? 10), 100);
  return { object: 'list', data: rest.slice(0, size), has_more: rest.length > size, url };
}

/** The secret of one payment proves that the server gave it to this browser. */
function browserRoutes(scope: FastifyInstance, stripe: Stripe): void {
  for (const kind of ['payment_intents', 'setup_intents']) {
    const open = (request: FastifyRequest<Id>): { intent: Intent; form: Form } => {
      const form = request.body as Form;
      requireKey(request, form, PUBLISHABLE_KEY);
      const intent = stripe.get<Intent>(request.params.id);
      if (form.text('client_secret') !== intent.client_secret)
        throw new StripeError(401, { type: 'invalid_request_error', message: 'The client secret is not valid.' });
      return { intent, form };
    };
    scope.post<Id>(`/v1/${kind}/:id/confirm`, (request) => {
      const { intent, form } = open(request);
      const saved = form.text('payment_method');
      const method = saved ?? stripe.createMethod(readCard(form)).id;
      return stripe.confirm(intent.id, method, true);
    });
    scope.post<Id>(`/v1/${kind}/:id/authenticate`, (request) => {
      const { intent, form } = open(request);
      return stripe.authenticate(intent.id, form.text('result') === 'succeeded');
    });
  }
}

/** A repeated call with the same key gets the stored response, including a refusal. */
function once(
  stripe: Stripe,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  run: () => unknown,
): FastifyReply {
  const key = request.headers['idempotency-key'];
  const text = `${request.url} ${form.source}`;
  const stored = typeof key === 'string' ? stripe.replay(key, text) : null;
  if (stored) return reply.status(stored.status).header('idempotent-replayed', 'true').send(stored.body);
  let response: { status: number; body: unknown };
  try {
    response = { status: 200, body: run() };
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    response = error;
  }
  if (typeof key === 'string')
    stripe.remember(key, { ...{ status: response.status, body: response.body }, request: text });
  return reply.status(response.status).send(response.body);
}

const readIntent = (form: Form) => ({
  amount: Number(form.text('amount') ?? 0),
  currency: form.text('currency') ?? '',
  customer: form.text('customer') ?? null,
  metadata: form.group('metadata'),
  setup_future_usage: form.text('setup_future_usage') === 'off_session' ? ('off_session' as const) : null,
});

const readCard = (form: Form) => ({
  number: (form.text('payment_method_data[card][number]') ?? '').replace(/\s/g, ''),
  exp_month: Number(form.text('payment_method_data[card][exp_month]') ?? 0),
  exp_year: Number(form.text('payment_method_data[card][exp_year]') ?? 0),
});

const shown = ({ number: _, ...method }: Method) => method;
const expand = (stripe: Stripe, intent: Intent) => ({
  ...intent,
  latest_charge: intent.latest_charge ? stripe.get<Charge>(intent.latest_charge) : null,
});

function ownRoutes(api: FastifyInstance, stripe: Stripe): void {
  api.get('/api/stripe/cards', () => ({ cards: cardList() }));
  api.get('/api/stripe/payments', () => ({ payments: stripe.payments().slice(0, 100) }));
  api.get('/api/stripe/webhooks', () => ({ webhooks: stripe.webhooks.log }));
  api.put('/api/stripe/webhook', ({ body }, reply) => {
    const input = inputObject(body, ['url', 'secret']);
    stripe.target = {
      url: inputString(input, 'url', { min: 0, max: 500 }),
      secret: inputString(input, 'secret', { min: 1, max: 200 }),
    };
    return reply.status(204).send();
  });
  api.post<Id>('/api/stripe/payments/:id/dispute', ({ params }) => stripe.dispute(params.id));
  api.post<Id>('/api/stripe/payments/:id/refund', ({ params }) => stripe.refund(params.id, undefined));
  api.put<Id>('/api/stripe/disputes/:id', ({ params, body }) =>
    stripe.closeDispute(params.id, inputChoice(inputObject(body, ['status']), 'status', ['won', 'lost'])),
  );
}
