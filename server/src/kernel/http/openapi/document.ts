/**
 * The OpenAPI 3.1 documents. They are generated from the contract, so they always match the server. The document for
 * customers has every call of their users and API keys. The one for operators has all calls.
 */
import { type AnyEndpoint, endpointModule } from '@parley/contract/endpoint.ts';
import type { z } from 'zod';
import type { Config } from '../../settings/config.ts';
import { ERRORS, HEADERS, PAGINATION, SERVER_ERROR } from './components.ts';
import { describeOperation, pascalCase } from './operations.ts';
import { type Json, schemaStore } from './schemas.ts';

interface Contract {
  endpoints: readonly AnyEndpoint[];
  schemas: ReadonlyMap<z.ZodType, string>;
  /** The description of each module. */
  modules: Readonly<Record<string, string>>;
}

export type Audience = 'customer' | 'operator';
type Settings = Pick<Config, 'PUBLIC_URL' | 'API_KEY_HEADERS'>;

const DESCRIPTION = `Requests and responses are JSON objects with the member \`data\`. Times are UTC, in the format
\`yyyy-MM-dd HH:mm:ss\`. Phone numbers are digits with the country code. Amounts that end in \`_micros\` are
millionths of the currency of the account.

Requests are strict: unknown fields, parameters, and filters are refused with code 1705. Responses are not: a later
version may add fields, so accept fields that you do not know.

A refused request has a status of 400 or above and a list of \`errors\`. Compare \`code\`, which never changes.
Each call lists its codes by status.

JSON bodies may be compressed: \`Content-Encoding\` is \`gzip\` or \`deflate\`.`;

export function openapi(contract: Contract, audience: Audience, settings: Settings): Json {
  const schemas = schemaStore(contract.schemas);
  const endpoints = contract.endpoints.filter((one) => audience === 'operator' || one.audience !== 'operator');
  const keys = settings.API_KEY_HEADERS.map((name, index) => ({ id: `key${index || ''}`, name }));
  const credentials = { keys: keys.map(({ id }) => ({ [id]: [] })), token: { bearer: [] } };
  const paths: Record<string, Json> = {};
  // Outputs first, so that they have the shorter names: a body with the same name and another shape is an input.
  for (const { output, id, raw, status } of endpoints)
    if (!raw && status !== 204) schemas.convert(output, 'output', `${pascalCase(id)}Result`);
  for (const endpoint of endpoints)
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint, schemas, credentials),
    };
  const modules = [...new Set(endpoints.map(({ id }) => endpointModule(id)))].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: audience === 'operator' ? 'Parley for operators' : 'Parley',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.PUBLIC_URL }],
    tags: modules.map((name) => ({ name, description: contract.modules[name] })),
    paths,
    components: {
      securitySchemes: {
        ...Object.fromEntries(
          keys.map(({ id, name }) => [id, { type: 'apiKey', in: 'header', name, description: 'An API key.' }]),
        ),
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session, from a sign-in call.' },
      },
      headers: HEADERS,
      responses: { ServerError: SERVER_ERROR, ...shareResponses(paths) },
      parameters: shareParameters(paths),
      schemas: { ...schemas.components(), Pagination: PAGINATION, ...ERRORS },
    },
  };
}

interface Shareable extends Json {
  parameters: Json[];
  responses: Record<string, Json>;
}

/** A part of calls is moved to the components if at least this many calls have it. */
const MIN_USES = 2;

function countUses(parts: readonly Json[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const part of parts) uses.set(JSON.stringify(part), (uses.get(JSON.stringify(part)) ?? 0) + 1);
  return uses;
}

const operations = (paths: Record<string, Json>): Shareable[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods) as Shareable[]);

/** The most used parameter of a name becomes a component. */
function shareParameters(paths: Record<string, Json>): Json {
  const all = operations(paths);
  const uses = [...countUses(all.flatMap(({ parameters }) => parameters))].filter(([, count]) => count >= MIN_USES);
  const shared = new Map<string, string>();
  for (const [text] of uses.sort(([, a], [, b]) => b - a)) {
    const name = pascalCase((JSON.parse(text) as { name: string }).name);
    if (![...shared.values()].includes(name)) shared.set(text, name);
  }
  for (const operation of all)
    operation.parameters = operation.parameters.map((one) => {
      const name = shared.get(JSON.stringify(one));
      return name ? { $ref: `#/components/parameters/${name}` } : one;
    });
  return toComponents(shared);
}

/** A response with the same status and codes becomes a component that is named after them. */
function shareResponses(paths: Record<string, Json>): Json {
  const all = operations(paths);
  const uses = countUses(all.flatMap(({ responses }) => Object.values(responses).filter((one) => 'x-codes' in one)));
  const shared = new Map<string, string>();
  for (const operation of all)
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => {
        const text = JSON.stringify(response);
        if ((uses.get(text) ?? 0) < MIN_USES) return [status, response];
        const name = `Error${status}_${(response['x-codes'] as number[]).join('_')}`;
        shared.set(text, name);
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  return toComponents(shared);
}

const toComponents = (shared: ReadonlyMap<string, string>): Json =>
  Object.fromEntries(
    [...shared].map(([text, name]) => [name, JSON.parse(text) as Json] as const).sort(([a], [b]) => a.localeCompare(b)),
  );
