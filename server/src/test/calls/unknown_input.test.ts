/**
 * Sends unknown input to every endpoint in the contract: a query parameter, a filter, a body field at every level, an
 * invalid value for each enum, and a date that does not exist. The endpoint must reject each one and name the field.
 * New endpoints are covered automatically.
 */
import { type AnyEndpoint, endpointPath } from '@parley/contract/endpoint.ts';
import { ENDPOINTS } from '@parley/contract/index.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { newId } from '../../kernel/clock.ts';
import { type Company, makeCompany } from '../make.ts';
import { createWorld, type World } from '../world.ts';
import { makePanelToken } from './crm.ts';

let world: World;
let company: Company;
let operators: Company;
let panel_token: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  operators = await makeCompany(world.kernel, { operator: true });
  panel_token = await makePanelToken(world.kernel, company.account_id, allPermissions());
});
afterAll(() => world.stop());

type Schema = z.core.$ZodTypes;
type Kind = 'field' | 'word' | 'date';
interface Place {
  kind: Kind;
  /** The path in the input. The path of a list leads to its first item. */
  path: string[];
  /** The field that selects an option of a union. */
  choice?: Record<string, unknown>;
}

/** All objects, enums, and dates in a schema. */
function findPlaces(schema: z.core.$ZodType | undefined, path: string[] = []): Place[] {
  if (!schema) return [{ kind: 'field', path }];
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case 'object': {
      const inner = Object.entries(def.shape).flatMap(([name, field]) => findPlaces(field, [...path, name]));
      const isOpen = def.catchall !== undefined && (def.catchall as Schema)._zod.def.type !== 'never';
      return isOpen ? inner : [{ kind: 'field', path }, ...inner];
    }
    case 'array':
      return findPlaces(def.element, [...path, '0']);
    case 'record':
      return findPlaces(def.valueType, [...path, 'key']);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return findPlaces(def.innerType, path);
    case 'pipe':
      // The items of a list, such as `a,b`, contain its values.
      return [...findPlaces(def.in, path), ...findPlaces(def.out, path)].map((place) =>
        path[0] === 'filter' ? { ...place, path: path.slice(0, 2) } : place,
      );
    case 'union':
      return def.options.flatMap((option) =>
        findPlaces(option, path).map((place) => ({ ...place, choice: place.choice ?? findChoice(def, option) })),
      );
    case 'enum':
      return [{ kind: 'word', path }];
    case 'string':
      return (def.checks ?? []).some(isDate) ? [{ kind: 'date', path }] : [];
    default:
      return [];
  }
}

const isDate = (check: z.core.$ZodCheck): boolean =>
  String((check._zod.def as { pattern?: RegExp }).pattern).includes('\\d{4}-\\d{2}-\\d{2}');

function findChoice(
  { discriminator }: z.core.$ZodUnionDef & { discriminator?: string },
  option: z.core.$ZodType,
): Record<string, unknown> | undefined {
  if (discriminator === undefined) return undefined;
  const field = ((option as Schema)._zod.def as z.core.$ZodObjectDef).shape[discriminator] as z.core.$ZodLiteral;
  return { [discriminator]: field._zod.def.values[0] };
}

const BAD = 'no_such_word';
const VALUES: Record<Kind, unknown> = { field: 1, word: BAD, date: '2030-02-30 10:00:00' };

/** An input with a bad value at one place, and the path of that value. */
function spoil({ kind, path, choice }: Place): { input: unknown; field: string } {
  const whole = kind === 'field' ? [...path, BAD] : path;
  const input = whole.reduceRight<unknown>((value, name) => (name === '0' ? [value] : { [name]: value }), VALUES[kind]);
  return { input: { ...choice, ...(input as object) }, field: whole.join('.') };
}

const PARAMS: Record<string, string> = {
  provider: 'google',
  channel: 'sms',
  code: 'USD',
  number: '447410000123',
  entity: '1',
};
/** The parameters of calls whose values differ. */
const OWN_PARAMS: Record<string, Record<string, string>> = {
  crm: { provider: 'pipedrive' },
  crm_sync: { provider: 'pipedrive' },
  crm_triggers: { provider: 'pipedrive' },
  statements: { month: '2026-10' },
};
const path = ({ id, path }: AnyEndpoint): string => {
  const params = { ...PARAMS, ...OWN_PARAMS[id.split('.')[0]!] };
  return endpointPath(path, new Proxy({}, { get: (_, name: string) => params[name] ?? newId() }));
};

async function send(endpoint: AnyEndpoint, query: string, body: unknown) {
  const headers: Record<string, string> = {};
  const init: RequestInit = { method: endpoint.method, headers };
  if (endpoint.upload) {
    const form = new FormData();
    form.append('data', JSON.stringify(body ?? {}));
    form.append('file', new Blob(['Number\n447410000128\n']), 'a.csv');
    init.body = form;
  } else if (body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify({ data: body });
  }
  const tokens = { operator: operators.token, panel: panel_token };
  const token = tokens[endpoint.audience as keyof typeof tokens] ?? company.token;
  return world.as(token).raw(`${path(endpoint)}${query}`, init);
}

/** Expects a refusal that names the field. The first item of a list may be named by the list. */
async function expectRefused(endpoint: AnyEndpoint, query: string, body: unknown, field: string): Promise<void> {
  const { status, body: answer } = await send(endpoint, query, body);
  const fields: string[] = (answer?.errors ?? []).map((error: { field?: string }) => error.field);
  expect({ query, body, fields }).toEqual({ query, body, fields: expect.arrayContaining([field]) });
  // The first problem determines the status. A field with an invalid ID reports that its record was not found.
  expect([400, 404]).toContain(status);
}

/** A list in a filter reports its items by position. */
const filterField = (endpoint: AnyEndpoint, name: string): string => {
  const { filter } = (endpoint.query as z.ZodObject).shape as { filter: z.ZodOptional<z.ZodObject> };
  const schema = filter.unwrap().shape[name] as z.ZodOptional<z.ZodType>;
  const issue = schema.safeParse(BAD).error?.issues[0];
  return ['filter', name, ...(issue?.path ?? [])].join('.');
};

const hasJsonBody = (endpoint: AnyEndpoint): boolean =>
  endpoint.method !== 'GET' && (endpoint.method !== 'DELETE' || endpoint.body !== undefined);
const takesFilters = ({ query }: AnyEndpoint): boolean =>
  query !== undefined && 'filter' in (query as z.ZodObject).shape;
/** Callbacks of sign-in providers can have additional parameters. */
const takesAnyQuery = (endpoint: AnyEndpoint): boolean => endpoint.id === 'social_networks.finish';

describe.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  if (!takesAnyQuery(endpoint))
    it('names the query parameter when it is unknown', () =>
      expectRefused(endpoint, `?${BAD}=1`, hasJsonBody(endpoint) ? { [BAD]: 1 } : undefined, BAD));

  if (endpoint.list)
    it('names the filter when it is unknown', () =>
      expectRefused(endpoint, `?filter[${BAD}]=1`, undefined, takesFilters(endpoint) ? `filter.${BAD}` : 'filter'));

  it('names the query parameter when its enum value or date does not exist', async () => {
    for (const place of endpoint.query ? findPlaces(endpoint.query) : []) {
      const [name = '', filter] = place.path;
      if (place.kind === 'field') continue;
      const key = filter === undefined ? name : `filter[${filter}]`;
      const field = filter === undefined ? name : filterField(endpoint, filter);
      await expectRefused(endpoint, `?${key}=${encodeURIComponent(String(VALUES[place.kind]))}`, undefined, field);
    }
  });

  if (hasJsonBody(endpoint))
    it('names the body field when it is unknown or its enum value or date does not exist', async () => {
      for (const place of findPlaces(endpoint.body)) {
        const { input, field } = spoil(place);
        await expectRefused(endpoint, '', input, field);
      }
    });
});

it('the contract contains enough enums, dates, and nested objects', () => {
  const places = ENDPOINTS.flatMap(({ query, body }) => [query, body].flatMap((schema) => findPlaces(schema)));
  const count = (kind: Kind) => places.filter((place) => place.kind === kind && place.path.length > 0).length;
  expect({ field: count('field') > 50, word: count('word') > 100, date: count('date') > 8 }).toEqual({
    field: true,
    word: true,
    date: true,
  });
});
