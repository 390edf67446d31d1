/** The parameters, bodies, and responses of one endpoint. */
import { type AnyEndpoint, endpointModule } from '@parley/contract/endpoint.ts';
import { type ProblemName, problemCode, problemMessage, problemStatus } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { accessProblems } from '../../security/auth.ts';
import type { Json, SchemaStore } from './schemas.ts';

/** Filled by the document: which credentials a call accepts. */
export interface Credentials {
  /** One entry per accepted header for API keys. */
  keys: readonly Json[];
  token: Json;
}

/** `campaigns.follow_up` becomes `CampaignsFollowUp`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export function describeOperation(endpoint: AnyEndpoint, schemas: SchemaStore, credentials: Credentials): Json {
  const requestBody = describeBody(endpoint, schemas);
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    description: describeAccess(endpoint),
    tags: [endpointModule(endpoint.id)],
    security: describeSecurity(endpoint, credentials),
    'x-needs': endpoint.needs,
    'x-audience': endpoint.audience ?? 'account',
    ...(endpoint.test_keys ? { 'x-test-keys': true } : {}),
    parameters: describeParameters(endpoint, schemas),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...describeSuccess(endpoint, schemas), ...describeRefusals(endpoint) },
  };
}

function describeAccess({ needs, audience, verified, idempotent, sorts }: AnyEndpoint): string {
  const sentences = [
    needs === 'public' && 'No credentials are needed.',
    Array.isArray(needs) && `Requires one of the permissions ${needs.map((need) => `\`${need}\``).join(', ')}.`,
    typeof needs === 'string' && needs !== 'public' && `Requires the permission \`${needs}\`.`,
    needs === null && 'Requires no permission.',
    audience === 'session' && 'API keys cannot make this call.',
    audience === 'person' && 'API keys and operators who impersonate a user cannot make this call.',
    audience === 'operator' && 'Only operators can make this call.',
    audience === 'panel' && 'Only panels embedded in other programs can make this call, with their own token.',
    verified && 'Available after the company has been approved.',
    sorts && `Sorts by ${sorts.map((name) => `\`${name}\``).join(', ')}.`,
    idempotent && 'A repeated call with the same Idempotency-Key returns the first response.',
  ];
  return sentences.filter(Boolean).join(' ');
}

function describeSecurity({ needs, audience }: AnyEndpoint, { keys, token }: Credentials): Json[] {
  if (needs === 'public') return [];
  return audience === 'session' || audience === 'person' || audience === 'panel' ? [token] : [...keys, token];
}

function describeParameters(endpoint: AnyEndpoint, schemas: SchemaStore): Json[] {
  const path = fields(endpoint.params, schemas).map(({ name, schema }) => parameter(name, 'path', schema, true));
  const query = fields(endpoint.query, schemas).flatMap(({ name, schema, isRequired }) =>
    name === 'filter'
      ? Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([key, inner]) =>
          parameter(`filter[${key}]`, 'query', inner, false),
        )
      : [parameter(name, 'query', schema, isRequired)],
  );
  return [...path, ...query, ...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : [])];
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A string of your choice. If you did not get the response to a request, repeat it with the same key.',
  schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['0b8e2a8e-6b0c-4f57-9a3d-2f1d5d8f0c11'] },
};

/** The fields of an object schema, without a name for the object. */
function fields(type: z.ZodType | undefined, schemas: SchemaStore) {
  if (!type) return [];
  const { properties = {}, required = [] } = schemas.convert(type, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

function parameter(name: string, place: 'path' | 'query', given: Json, required: boolean): Json {
  const { description, ...schema } = given;
  return {
    ...{ name, in: place, required },
    ...(description ? { description } : {}),
    // The values of a list are separated by commas.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  };
}

function describeBody(endpoint: AnyEndpoint, schemas: SchemaStore): Json | undefined {
  const { body, upload, id } = endpoint;
  if (upload) return describeForm(body ? schemas.convert(body, 'input') : {});
  if (!body) return undefined;
  const data = schemas.convert(body, 'input', `${pascalCase(id)}Body`);
  return {
    // If all fields are optional, the body may be missing.
    required: !body.safeParse({}).success,
    content: {
      'application/json': {
        schema: { type: 'object', properties: { data }, required: ['data'], additionalProperties: false },
      },
    },
  };
}

function describeForm({ properties, required = [] }: { properties?: Json; required?: string[] }): Json {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' };
  const data = {
    type: 'string',
    contentMediaType: 'application/json',
    description: 'Optional. Additional fields, as one JSON object.',
  };
  const schema = {
    type: 'object',
    properties: { ...properties, file, data },
    required: [...required, 'file'],
    additionalProperties: false,
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function describeSuccess(endpoint: AnyEndpoint, schemas: SchemaStore): Json {
  const status = String(endpoint.status ?? 200);
  if (status === '204') return { [status]: { description: 'Done. The response has no body.' } };
  if (endpoint.raw)
    return { [status]: { description: 'The content.', content: { [endpoint.raw]: { schema: { type: 'string' } } } } };
  const output = withLinks(endpoint, schemas.convert(endpoint.output, 'output', `${pascalCase(endpoint.id)}Result`));
  const schema = endpoint.list ? listSchema(endpoint, output, schemas) : dataSchema(output);
  const description = endpoint.list ? 'A page of the list.' : SUCCESS[status]!;
  return { [status]: { description, content: { 'application/json': { schema } } } };
}

function withLinks({ links }: AnyEndpoint, item: Json): Json {
  if (!links) return item;
  const names = Object.keys(links);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const schema = { type: 'object', description: 'Paths of related calls.', properties, required: names };
  return { allOf: [item, { type: 'object', properties: { links: schema }, required: ['links'] }] };
}

const SUCCESS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work continues after the response.',
};

const dataSchema = (data: Json): Json => ({ type: 'object', properties: { data }, required: ['data'] });

function listSchema({ beside }: AnyEndpoint, items: Json, schemas: SchemaStore): Json {
  const extra = (beside ? schemas.convert(beside, 'output') : {}) as { properties?: Json; required?: string[] };
  return {
    type: 'object',
    properties: {
      data: { type: 'array', items },
      pagination: { $ref: '#/components/schemas/Pagination' },
      ...extra.properties,
    },
    required: ['data', 'pagination', ...(extra.required ?? [])],
  };
}

/** The problems that a call can return because of its shape. The endpoint does not list them. */
function implicitProblems(endpoint: AnyEndpoint): ProblemName[] {
  const hasBody = endpoint.method !== 'GET';
  return [
    ...accessProblems(endpoint),
    ...(['REQUEST_INVALID', 'VALUE_INVALID', 'REQUEST_TOO_LARGE', 'RATE_LIMIT_EXCEEDED'] as const),
    ...(endpoint.needs !== 'public' && (endpoint.audience ?? 'account') === 'account'
      ? (['API_KEY_RATE_LIMIT_REACHED'] as const)
      : []),
    ...(endpoint.needs === 'public' ? [] : (['REQUESTS_IN_PROGRESS_EXCEEDED'] as const)),
    ...(endpoint.upload ? (['FILE_INFECTED', 'MALWARE_SCAN_UNAVAILABLE'] as const) : []),
    ...(endpoint.body && !endpoint.upload ? [endpoint.empty ?? 'REQUEST_DATA_REQUIRED'] : []),
    ...(hasBody
      ? (['REQUEST_TIMEOUT', 'CONTENT_TYPE_NOT_SUPPORTED', 'CONTENT_ENCODING_NOT_SUPPORTED'] as const)
      : (['URL_TOO_LONG'] as const)),
    ...(endpoint.idempotent
      ? (['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_INVALID'] as const)
      : []),
  ];
}

function describeRefusals(endpoint: AnyEndpoint): Json {
  const refusals = new Map<number, ProblemName[]>();
  for (const name of new Set<ProblemName>([...implicitProblems(endpoint), ...endpoint.problems])) {
    const status = problemStatus(name);
    refusals.set(status, [...(refusals.get(status) ?? []), name]);
  }
  const responses = [...refusals]
    .sort(([a], [b]) => a - b)
    .map(([status, names]) => [String(status), refusal(status, names)] as const);
  return { ...Object.fromEntries(responses), '5XX': { $ref: '#/components/responses/ServerError' } };
}

function refusal(status: number, names: readonly ProblemName[]): Json {
  const sorted = [...names].sort((a, b) => problemCode(a) - problemCode(b));
  return {
    description: sorted.map((name) => `${problemCode(name)}: ${problemMessage(name).replace(/\.$/, '')}`).join('. '),
    ...(status === 429 ? { headers: RATE_HEADERS } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } },
    'x-codes': sorted.map(problemCode),
  };
}

const RATE_HEADERS: Json = Object.fromEntries(
  ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map(
    (name) => [name, { $ref: `#/components/headers/${name}` }],
  ),
);
