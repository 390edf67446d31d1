/** People, deals, and webhooks: the API for an app's contact sync, and controls that act like users of the CRM. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Input, inputObject } from '../problem.ts';
import type { Pipedrive } from './pipedrive.ts';
import { type Deal, fields, type Person, stages, type Webhook } from './records.ts';

type Id = { Params: { id: string } };
type Query = { Querystring: Record<string, string | undefined> };

const found = (data: unknown, more: object = {}) => ({ success: true, data, ...more });

/** The name is stored in one piece. The rest follows from it. */
export const personJson = (person: Person) => {
  const [first_name = '', ...rest] = person.name.split(' ');
  return { ...person, first_name, last_name: rest.join(' ') || null, is_deleted: false };
};

/** A page in the order of the time of the last change, or of the IDs. */
function page<T extends { id: number; update_time: string }>(rows: readonly T[], query: Query['Querystring']) {
  const { ids, updated_since = '', sort_by, sort_direction, cursor, limit = '100' } = query;
  const order = sort_direction === 'desc' ? -1 : 1;
  const wanted = ids?.split(',').map(Number);
  const place = (row: T) => `${sort_by === 'update_time' ? row.update_time : ''} ${String(row.id).padStart(9, '0')}`;
  const all = rows
    .filter((row) => (!wanted || wanted.includes(row.id)) && row.update_time >= updated_since)
    .toSorted((a, b) => order * place(a).localeCompare(place(b)))
    .filter((row) => !cursor || order * place(row).localeCompare(Buffer.from(cursor, 'base64url').toString()) > 0);
  const shown = all.slice(0, Number(limit));
  const last = shown.at(-1);
  const next_cursor = all.length > shown.length && last ? Buffer.from(place(last)).toString('base64url') : null;
  return { rows: shown, more: { additional_data: { next_cursor } } };
}

export function contactRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  const authenticate = ({ headers }: FastifyRequest): number => pipedrive.authenticate(headers.authorization);
  api.get<Query>('/api/v2/persons', (request) => {
    authenticate(request);
    const { rows, more } = page(pipedrive.people(), request.query);
    return found(rows.map(personJson), more);
  });
  api.post('/api/v2/persons', async (request, reply) => {
    authenticate(request);
    const person = await pipedrive.putPerson(null, request.body as Partial<Person>, 'api');
    return reply.status(201).send(found(personJson(person)));
  });
  api.patch<Id>('/api/v2/persons/:id', async (request) => {
    authenticate(request);
    const id = Number(request.params.id);
    return found(personJson(await pipedrive.putPerson(id, request.body as Partial<Person>, 'api')));
  });
  api.get<Query>('/api/v2/deals', (request) => {
    authenticate(request);
    const { person_id, status } = request.query;
    const wanted = pipedrive
      .deals()
      .filter(
        (deal) =>
          (!person_id || deal.person_id === Number(person_id)) && (!status || status.split(',').includes(deal.status)),
      );
    const { rows, more } = page(wanted, request.query);
    return found(rows, more);
  });
  api.get('/api/v2/personFields', (request) => {
    authenticate(request);
    return found(fields, { additional_data: { next_cursor: null } });
  });
  api.get('/api/v2/stages', (request) => {
    authenticate(request);
    return found(stages);
  });
  api.get('/api/v2/pipelines', (request) => {
    authenticate(request);
    return found([{ id: 1, name: 'Sales' }]);
  });
  api.post('/api/v1/webhooks', (request, reply) => {
    authenticate(request);
    return reply.status(201).send(found(pipedrive.addWebhook(request.body as Omit<Webhook, 'id'>)));
  });
  api.delete<Id>('/api/v1/webhooks/:id', (request) => {
    authenticate(request);
    pipedrive.removeWebhook(Number(request.params.id));
    return found(null);
  });
}

/** Actions of the CRM's users: changing, deleting, and merging people, and moving deals to other stages. */
export function userRoutes(api: FastifyInstance, pipedrive: Pipedrive): void {
  api.get('/api/pipedrive/records', () => ({
    people: pipedrive.people(),
    deals: pipedrive.deals(),
    webhooks: pipedrive.webhooks().map(({ id, event_object }) => ({ id, event_object })),
  }));
  api.post('/api/pipedrive/people', ({ body }) => pipedrive.putPerson(null, body as Partial<Person>, 'app'));
  api.put<Id>('/api/pipedrive/people/:id', ({ params, body }) =>
    pipedrive.putPerson(Number(params.id), body as Partial<Person>, 'app'),
  );
  api.delete<Id>('/api/pipedrive/people/:id', async ({ params }, reply) => {
    await pipedrive.removePerson(Number(params.id));
    return reply.status(204).send();
  });
  api.post('/api/pipedrive/merges', async ({ body }, reply) => {
    const { from, into } = inputObject(body, ['from', 'into']) as Input;
    const merged = pipedrive.person(Number(from));
    const kept = pipedrive.person(Number(into));
    const phones = [...kept.phones, ...merged.phones.map((phone) => ({ ...phone, primary: kept.phones.length === 0 }))];
    await pipedrive.removePerson(merged.id, kept.id);
    await pipedrive.putPerson(kept.id, { phones }, 'app');
    return reply.status(204).send();
  });
  api.post('/api/pipedrive/deals', ({ body }) => pipedrive.addDeal(body as Partial<Deal>));
  api.put<Id>('/api/pipedrive/deals/:id', ({ params, body }) =>
    pipedrive.moveDeal(Number(params.id), body as Partial<Deal>),
  );
}
