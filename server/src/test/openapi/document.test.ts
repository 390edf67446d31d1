/** Tests the OpenAPI documents against the contract: what generated clients rely on. */

import { endpointModule } from '@parley/contract/endpoint.ts';
import { ENDPOINTS, namedSchemas } from '@parley/contract/index.ts';
import { MODULE_TEXTS } from '@parley/contract/module_texts.ts';
import { compareInput } from '@parley/contract/strict.ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { type Audience, openapi } from '../../kernel/http/openapi/document.ts';
import { readOperations } from './read_operations.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  pattern?: string;
  examples?: unknown[];
}
type Content = Record<string, { schema: Schema }>;
interface Operation {
  operationId: string;
  description: string;
  security: object[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { 'x-codes'?: number[]; content?: Content }>;
}

const settings = { PUBLIC_URL: 'https://sms.harbour.test', API_KEY_HEADERS: ['X-API-Key', 'X-Harbour-Key'] };
const make = (audience: Audience) =>
  openapi({ endpoints: ENDPOINTS, schemas: namedSchemas(), modules: MODULE_TEXTS }, audience, settings);
const documents = { customer: make('customer'), operator: make('operator') };
const operations = readOperations<Operation>(documents.operator as never).map(({ operation }) => operation);
const find = (id: string): Operation => operations.find(({ operationId }) => operationId === id)!;

/** Calls `visit` for each schema inside the schema, with its path in the value. */
function walk(schema: Schema, path: string[], visit: (schema: Schema, path: string[]) => void): void {
  visit(schema, path);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, [...path, name], visit);
  if (schema.items) walk(schema.items, [...path, '0'], visit);
  for (const option of schema.anyOf ?? []) walk(option, path, visit);
}

const successSchema = ({ responses }: Operation): Schema | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']?.schema;

/** The most characters per call, with its schemas and examples. Without names for schemas, it would be far more. */
const MAX_CALL_LENGTH = 3_000;

describe.each(['customer', 'operator'] as const)('the document for the %s', (audience) => {
  const text = JSON.stringify(documents[audience]);

  it('has no errors and no warnings in a linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const found = await lintFromString({ source: text, absoluteRef: `/${audience}.json`, config });
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('names the server and every module that has a call', () => {
    const { servers, tags } = documents[audience] as {
      servers: object[];
      tags: { name: string; description: string }[];
    };
    expect(servers).toEqual([{ url: 'https://sms.harbour.test' }]);
    expect(tags.filter(({ description }) => !description)).toEqual([]);
  });

  it('is small because it names its schemas', () => {
    const { components, paths } = documents[audience] as {
      components: { schemas: Record<string, unknown> };
      paths: Record<string, object>;
    };
    const calls = Object.values(paths).reduce((sum, path) => sum + Object.keys(path).length, 0);
    expect(text.length / calls).toBeLessThan(MAX_CALL_LENGTH);
    const names = Object.keys(components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['Message', 'Campaign', 'Contact', 'ContactInput', 'Problem', 'Errors']),
    );
    // A number would mean that two schemas have the same name.
    expect(names.filter((name) => /\d$/.test(name))).toEqual([]);
    const shapes = Object.values(components.schemas).map((schema) => JSON.stringify(schema));
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});

it('the texts of modules belong to modules that have calls', () => {
  const modules = new Set(ENDPOINTS.map(({ id }) => endpointModule(id)));
  expect(Object.keys(MODULE_TEXTS).filter((name) => !modules.has(name))).toEqual([]);
});

it('the customers’ document has no calls of operators, and the operators’ document has all calls', () => {
  const ids = (audience: Audience) =>
    readOperations<Operation>(documents[audience] as never).map(({ operation }) => operation.operationId);
  expect(ids('operator').sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort());
  expect(ids('customer').sort()).toEqual(
    ENDPOINTS.filter(({ audience }) => audience !== 'operator')
      .map(({ id }) => id)
      .sort(),
  );
});

it('a call names the credentials that it accepts', () => {
  const keys = [{ key: [] }, { key1: [] }];
  expect(find('messages.create').security).toEqual([...keys, { bearer: [] }]);
  expect(find('customers.list').security).toEqual([...keys, { bearer: [] }]);
  expect(find('conversations.get').security).toEqual([{ bearer: [] }]);
  expect(find('auth.sign_in').security).toEqual([]);
  expect(find('messages.create').description).toContain('`MESSAGES:add`');
});

it('a call lists the codes that it can return', () => {
  const { responses } = find('messages.create');
  const codes = (status: number) => responses[status]?.['x-codes'];
  expect(codes(400)).toEqual(expect.arrayContaining([1005, 1007, 1506, 1705]));
  expect(codes(401)).toEqual([1101, 2121]);
  expect(codes(415)).toEqual([1009, 1044]);
  expect(codes(429)).toEqual(expect.arrayContaining([1042, 1999]));
  expect(operations.filter((one) => !('5XX' in one.responses))).toEqual([]);
});

it('request bodies are closed exactly where the server refuses unknown fields', () => {
  const wrong: unknown[] = [];
  let closed = 0;
  for (const { id, body, upload } of ENDPOINTS) {
    const data = find(id).requestBody?.content['application/json']?.schema.properties?.data;
    if (!body || upload || !data) continue;
    walk(data, [], (schema, path) => {
      if (!schema.properties) return;
      const whole = [...path, 'no_such_field'];
      const input = whole.reduceRight<unknown>((value, name) => (name === '0' ? [value] : { [name]: value }), 1);
      const isRefused = compareInput(body, input).unknown.includes(whole.join('.'));
      if (isRefused) closed++;
      if (isRefused !== (schema.additionalProperties === false)) wrong.push([id, whole.join('.')]);
    });
  }
  expect(wrong).toEqual([]);
  expect(closed).toBeGreaterThan(80);
});

it('a body can be missing if and only if the server accepts none', () => {
  expect(find('messages.create').requestBody?.required).toBe(true);
  expect(find('campaign_retries.create').requestBody?.required ?? false).toBe(false);
});

it('no response is closed, so that clients accept new fields', () => {
  for (const operation of operations)
    walk(successSchema(operation) ?? {}, [], (schema, path) => {
      expect([operation.operationId, path, schema.additionalProperties]).not.toEqual([
        operation.operationId,
        path,
        false,
      ]);
    });
});

it('times have the pattern that the server sends, and examples match their patterns', () => {
  expect(JSON.stringify(documents.operator)).not.toContain('date-time');
  const message = successSchema(find('messages.list'))?.properties?.data?.items?.properties;
  expect(new RegExp(message?.create_date?.pattern ?? '').test('2027-01-31 09:00:00')).toBe(true);
  expect(new RegExp(message?.create_date?.pattern ?? '').test('2027-01-31T09:00:00Z')).toBe(false);
  for (const operation of operations)
    walk(successSchema(operation) ?? {}, [], ({ pattern, examples = [] }) => {
      for (const example of pattern ? examples : []) expect(example).toMatch(new RegExp(pattern!));
    });
});
