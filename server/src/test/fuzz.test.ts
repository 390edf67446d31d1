/**
 * Calls every endpoint in the OpenAPI document with input generated from its schemas: valid, nearly valid, and hostile.
 * The response must always have a documented status and a code from the catalog, and never a 5xx status or a stack
 * trace.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeChatSender, makeMedia } from './chat.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeSender, makeUser } from './make.ts';
import { makeSlot } from './media.ts';
import { readOperations } from './openapi/read_operations.ts';
import { makeReview } from './review.ts';
import { makeSenderRequest } from './senders.ts';
import { isSoak, sample } from './soak/soak.ts';
import { makeInvitation, makeSubAccount } from './team.ts';
import { makeTemplate } from './templates.ts';
import { createWorld, type World } from './world.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

let world: World;
let company: Company;
let operators: Company;
let operations: { method: string; path: string; operation: Operation }[] = [];
let ids: string[] = [];

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  operators = await makeCompany(world.kernel, { operator: true });
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  const { connection_id } = await makeCarrier(world.kernel);
  const audience = await makeAudience(world.kernel, company.account_id, [{ number: '447410000123' }]);
  const review_id = await makeReview(world.kernel, company);
  const colleague = await makeUser(world.kernel, company.account_id);
  const team = [
    colleague.user_id,
    await makeInvitation(world.kernel, company),
    await makeSubAccount(world.kernel, company),
  ];
  const { id: slot_id } = await makeSlot(world, company.token, { file_name: 'a.pdf', type: 'document' });
  const request_id = await makeSenderRequest(world.kernel, company.account_id);
  const template_id = await makeTemplate(world.kernel, company.account_id);
  const chats = await Promise.all(
    (['WHATSAPP', 'VIBER'] as const).map((channel) => makeChatSender(world.kernel, company.account_id, channel)),
  );
  const picture = { type: 'image', name: 'a.png', content_type: 'image/png' } as const;
  ids = [
    ...chats.map((chat) => chat.sender_id),
    await makeMedia(world.kernel, company.account_id, picture),
    template_id,
    request_id,
    slot_id,
    sender_id,
    audience,
    connection_id,
    company.account_id,
    company.user_id,
    review_id,
    ...team,
    newId(),
  ];
  const { body } = await world.as().get('/v1/openapi.operator.json');
  operations = readOperations<Operation>(body);
});
afterAll(() => world.stop());

const HOSTILE = [
  '\0',
  '\ud800',
  '👩‍👩‍👧',
  "'; drop table users; --",
  '%',
  '_%\\',
  '-1',
  '1e999',
  'NaN',
  '[object Object]',
  '\u202e',
  'a'.repeat(5_000),
  '{first_name',
  '=cmd()',
  '../../etc/passwd',
  '__proto__',
  '',
];
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.constantFrom(null, true, 0, -1, 2 ** 53, 1.5, [], {}, [[]], { toString: 1 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Generates values for the schema, replacing about one in five with a hostile value. */
function arbitraryFor(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: valid(schema) }, { weight: 1, arbitrary: hostile });
}
function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, arbitraryFor(inner)])),
      { requiredKeys: [] },
    );
  if (type === 'array') return fc.array(arbitraryFor(schema.items ?? {}), { maxLength: 4 });
  if (type === 'integer' || type === 'number')
    return fc.integer({
      min: Math.ceil(Math.max(schema.minimum ?? 0, -1e9)),
      max: Math.floor(Math.min(schema.maximum ?? 1e6, 1e9)),
    });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (schema.format === 'uuid') return fc.constantFrom(...ids);
  return fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: Math.min(schema.maxLength ?? 30, 30) }),
    fc.constantFrom('447410000123', 'SMS', 'Name', '2027-01-01 10:00:00', ...ids),
  );
}

// Reverts changes that would block the next calls: blocked or closed accounts and users, and required 2FA.
const restoreAccounts = () =>
  world.kernel.db.tx(async (tx) => {
    await tx.run(sql`
      update accounts set status = 'VERIFIED', blocked_by = null, close_date = null, second_factor_required = false
      where id in (${company.account_id}, ${operators.account_id})`);
    await tx.run(
      sql`update users set blocked = false where account_id in (${company.account_id}, ${operators.account_id})`,
    );
  });

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
/** Lists in a query are separated by commas. */
const toQueryText = (value: unknown): string =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(',') : toText(value);

it(
  'every endpoint handles any input without failing',
  async () => {
    expect(operations.length).toBeGreaterThan(40);
    const failures: string[] = [];
    for (const { method, path, operation } of operations) {
      if (operation.operationId === 'events.stream' || operation.operationId === 'auth.sign_out') continue;
      const inputs = operation.parameters;
      const schema = operation.requestBody?.content['application/json']?.schema ?? null;
      const multipart = operation.requestBody?.content['multipart/form-data']?.schema ?? null;
      await fc
        .assert(
          fc.asyncProperty(
            fc.record(
              Object.fromEntries(inputs.map((input) => [`${input.in} ${input.name}`, arbitraryFor(input.schema)])),
              {
                requiredKeys: [],
              },
            ),
            schema
              ? fc.oneof({ weight: 6, arbitrary: valid(schema) }, { weight: 1, arbitrary: hostile })
              : fc.constant(undefined),
            multipart ? valid(multipart) : fc.constant(undefined),
            fc.boolean(),
            async (parameters, body, fields, asOperator) => {
              const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
                encodeURIComponent(
                  toText(parameters[`path ${name}`] ?? ids[0])
                    .toWellFormed()
                    .slice(0, 150) || 'x',
                ),
              );
              const query = new URLSearchParams();
              for (const input of inputs)
                if (input.in === 'query' && parameters[`query ${input.name}`] !== undefined)
                  query.append(input.name, toQueryText(parameters[`query ${input.name}`]).toWellFormed());
              const headers: Record<string, string> = {};
              const key = parameters['header Idempotency-Key'];
              if (typeof key === 'string' && /^[\x20-\x7e]+$/.test(key.trim())) headers['idempotency-key'] = key.trim();
              const init: RequestInit = { method, headers };
              if (multipart) {
                const form = new FormData();
                for (const [name, value] of Object.entries((fields ?? {}) as object))
                  form.append(name, toText(value).toWellFormed());
                form.append(
                  'file',
                  new Blob([HOSTILE[Math.abs(toText(fields).length) % HOSTILE.length] ?? '']),
                  'x.csv',
                );
                init.body = form;
              } else if (schema) {
                headers['content-type'] = 'application/json';
                init.body = JSON.stringify(body) ?? '';
              }
              const token = asOperator ? operators.token : company.token;
              const response = await world.as(token).raw(`${url}?${query}`, init);
              const isDocumented = String(response.status) in operation.responses || response.status === 404;
              const hasCode = response.status < 400 || Number.isInteger(response.body?.errors?.[0]?.code);
              if (response.status >= 500 || !isDocumented || !hasCode || /\bat .+\.ts:\d+/.test(response.text))
                throw new Error(
                  `${method} ${url}?${query} ${init.body ?? ''} -> ${response.status} ${response.text.slice(0, 300)}`,
                );
            },
          ),
          sample(6, 100),
        )
        .catch((error: Error) => failures.push(`${operation.operationId}: ${error.message.slice(0, 1_200)}`));
      await restoreAccounts();
    }
    expect(failures).toEqual([]);
  },
  isSoak ? 3_600_000 : 240_000,
);

it('a body that is invalid, too large, or of the wrong type is rejected with the matching code', async () => {
  const send = (body: string, type = 'application/json') =>
    world.as(company.token).raw('/v1/audiences', { method: 'POST', body, headers: { 'content-type': type } });
  const codes = async (...responses: Promise<{ status: number; body: { errors: { code: number }[] } }>[]) =>
    (await Promise.all(responses)).map(({ status, body }) => [status, body.errors[0]?.code]);
  expect(
    await codes(
      send('{'),
      send('[]'),
      send('{}'),
      send('"x"'),
      send('x', 'text/plain'),
      send(`{"data":"${'x'.repeat(1_100_000)}"}`),
    ),
  ).toEqual([
    [400, 1005],
    [400, 1007],
    [400, 1007],
    [400, 1007],
    [415, 1009],
    [413, 1008],
  ]);
});

it('a deeply nested body is rejected as invalid', async () => {
  const depth = 20_000;
  const body = `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const headers = { 'content-type': 'application/json' };
  const reply = await world.as(company.token).raw('/v1/audiences', { method: 'POST', headers, body });
  expect([reply.status, reply.body.errors[0].code]).toEqual([400, 1705]);
});
