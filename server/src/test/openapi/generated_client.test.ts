/**
 * Generates a TypeScript client from the OpenAPI document with the tools that customers use, type-checks a program that
 * uses it, and runs the program against the real server.
 */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { createWorld, type World } from '../world.ts';

const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** What a customer would write. A line after `@ts-expect-error` must not compile. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type Message = components['schemas']['Message'];

export async function run(baseUrl: string, key: string, from: string) {
  const client = createClient<paths>({
    baseUrl,
    headers: { 'X-API-Key': key },
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const data = { channel: 'SMS', from, to: ['447410000123'], text: 'Hello' } as const;
  const header = { 'Idempotency-Key': 'first' };
  const sent = await client.POST('/v1/messages', { params: { header }, body: { data: { ...data, to: [...data.to] } } });
  const message: Message | undefined = sent.data?.data[0];
  const listed = await client.GET('/v1/messages', {
    params: {
      query: {
        'filter[channel]': 'SMS',
        'filter[statuses]': ['enroute', 'scheduled'],
        'filter[created_date_start]': '2026-01-01',
        page_size: 20,
      },
    },
  });
  const total: number | undefined = listed.data?.pagination.total;
  const refused = await client.POST('/v1/messages', { body: { data: { ...data, to: [] } } });
  const code: number | undefined = refused.error?.errors[0]?.code;
  const id = '0197a5f0-0000-7000-8000-000000000001';
  const missing = await client.GET('/v1/messages/{id}', { params: { path: { id } } });

  // @ts-expect-error a message has no such field
  void message?.no_such_field;
  // @ts-expect-error the list has no such filter
  void (() => client.GET('/v1/messages', { params: { query: { 'filter[colour]': 'red' } } }));
  // @ts-expect-error the recipient is required
  void (() => client.POST('/v1/messages', { body: { data: { channel: 'SMS', from, text: 'Hello' } } }));
  // @ts-expect-error only operators can make this call
  void (() => client.GET('/v1/customers'));

  const rows = listed.data?.data.map((row) => row.id);
  return { message, rows, total, code, status: missing.error?.errors[0]?.status };
}
`;

let world: World;
let folder: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  folder = await mkdtemp(join(tmpdir(), 'parley-client-'));
  await symlink(PACKAGES, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
});
afterAll(async () => {
  await world?.stop();
  await rm(folder, { recursive: true, force: true });
});

function typeErrors(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('a generated client sends, lists, and reads error codes when it is compiled strictly', async () => {
  const company = await makeCompany(world.kernel);
  await makeCarrier(world.kernel);
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  const key = await makeKey(world.kernel, company.account_id);
  const { body: document } = await world.as().get('/v1/openapi.json');
  await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(document)));
  const file = join(folder, 'program.ts');
  await writeFile(file, PROGRAM);
  expect(typeErrors(file)).toEqual([]);
  const { run } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    run(url: string, key: string, from: string): Promise<Record<string, unknown>>;
  };
  const result = await run(world.url, key, sender_id);
  const { id } = result.message as { id: string };
  expect(result).toEqual({
    message: expect.objectContaining({ account_id: company.account_id, to: '447410000123', text: 'Hello' }),
    rows: [id],
    total: 1,
    code: 1506,
    status: 404,
  });
}, 120_000);
