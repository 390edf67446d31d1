/**
 * Writes src/generated.ts from the contract: the calls that accept API keys, with their types and error codes. A test
 * fails if the file does not match the contract. Run `npm run generate -w sdk` after you change the contract.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS, namedSchemas } from '../contract/src/index.ts';
import { openapi } from '../server/src/kernel/http/openapi/document.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  contentMediaType?: string;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}
interface Response {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
  'x-codes'?: number[];
}
interface Operation {
  operationId: string;
  summary: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
  };
}

const FILE = fileURLToPath(new URL('src/generated.ts', import.meta.url));
const HEAD = "// Generated from the contract by generate.ts. Do not edit.\nimport type { Page } from './pages.ts';\n";

export function generate(): string {
  // Calls that accept keys. Those of people need a session.
  const endpoints = ENDPOINTS.filter(({ audience = 'account', needs }) => audience === 'account' && needs !== 'public');
  const settings = { PUBLIC_URL: 'https://parley.example', API_KEY_HEADERS: ['X-API-Key'] };
  const document = openapi(
    { endpoints, schemas: namedSchemas(), modules: {} },
    'customer',
    settings,
  ) as unknown as Document;
  const operations = endpoints.map(({ path, method }) => ({
    method,
    path,
    operation: document.paths[path]![method.toLowerCase()]!,
  }));
  return [
    HEAD,
    ...Object.entries(document.components.schemas).map(([name, schema]) => writeNamed(name, schema)),
    '/** The calls by module. */\nexport interface Api {',
    ...groupByModule(operations).map(
      ([module, calls]) => `${module}: {\n${calls.map((call) => writeCall(document, call)).join('')}};`,
    ),
    '}\n',
    '/** The codes with which each call can be refused. */\nexport interface Codes {',
    ...operations.map(({ operation }) => `'${operation.operationId}': ${codes(document, operation).join(' | ')};`),
    '}\n',
    '/** Method, path, and properties: `i` accepts an idempotency key, `l`: list, `r`: file, `u`: upload. */',
    'export type CallRow = readonly [method: string, path: string, kind: string];',
    'export const CALLS: Readonly<Record<string, CallRow>> = {',
    ...endpoints.map(({ id, method, path, ...more }) => `'${id}': ['${method}', '${path}', '${properties(more)}'],`),
    '};\n',
  ].join('\n');
}

const properties = ({ idempotent, list, raw, upload }: Partial<(typeof ENDPOINTS)[number]>): string =>
  [idempotent && 'i', list && 'l', raw && 'r', upload && 'u'].filter(Boolean).join('');

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

const groupByModule = (calls: readonly Call[]): [string, Call[]][] =>
  Object.entries(Object.groupBy(calls, ({ operation }) => operation.operationId.split('.')[0]!)) as [string, Call[]][];

function writeCall(document: Document, { operation }: Call): string {
  const verb = operation.operationId.split('.')[1]!;
  const parts = [
    ...group(document, operation, 'path', 'params'),
    ...group(document, operation, 'query', 'query'),
    ...bodyPart(operation),
    ...(operation.parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')) ? ['idempotency_key?: string'] : []),
    'signal?: AbortSignal',
  ];
  const optional = parts.every((part) => /^\w+\?:/.test(part)) ? '?' : '';
  const input = `input${optional}: { ${parts.join('; ')} }`;
  return `/** ${operation.summary} */\n${verb}: (${input}) => Promise<${result(operation)}>;\n`;
}

const resolve = <T extends { $ref?: string }>(parts: Record<string, T>, part: T): T =>
  part.$ref ? parts[part.$ref.split('/').at(-1)!]! : part;

function group(document: Document, { parameters }: Operation, place: string, name: string): string[] {
  const all = parameters.map((one) => resolve(document.components.parameters, one)).filter((one) => one.in === place);
  if (all.length === 0) return [];
  const fields = all.map((one) => `'${one.name}'${one.required ? '' : '?'}: ${write(one.schema)}`);
  return [`${name}${all.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`];
}

function bodyPart({ requestBody }: Operation): string[] {
  if (!requestBody) return [];
  const form = requestBody.content['multipart/form-data'];
  const schema = form?.schema ?? requestBody.content['application/json']!.schema.properties!.data!;
  return [`body${requestBody.required ? '' : '?'}: ${write(schema)}`];
}

function result({ responses }: Operation): string {
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2'))!;
  if (status === '204') return 'void';
  const schema = success.content?.['application/json']?.schema;
  if (!schema) return 'Response';
  const { data, pagination, ...beside } = schema.properties!;
  if (!pagination) return write(data!);
  const extra =
    Object.keys(beside).length > 0
      ? ` & ${write({ type: 'object', properties: beside, required: schema.required! })}`
      : '';
  return `Page<${write(data!.items!)}>${extra}`;
}

function codes(document: Document, { responses }: Operation): number[] {
  const all = Object.values(responses).flatMap((one) => resolve(document.components.responses, one)['x-codes'] ?? []);
  return [...new Set(all)].sort((a, b) => a - b);
}

const comment = ({ description }: Schema): string =>
  description ? `/** ${description.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n` : '';

const writeNamed = (name: string, schema: Schema): string =>
  `${comment(schema)}export type ${name} = ${write(schema)};\n`;

function write(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, allOf, items, prefixItems } = schema;
  if ($ref) return $ref.split('/').at(-1)!;
  if (allOf) return allOf.map((one) => `(${write(one)})`).join(' & ');
  const options = anyOf ?? oneOf;
  if (options) return [...new Set(options.map(write))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return [
      ...schema.enum.map((value) => JSON.stringify(value)),
      ...([type].flat().includes('null') && !schema.enum.includes(null) ? ['null'] : []),
    ].join(' | ');
  if (Array.isArray(type)) return type.map((one) => write({ ...schema, type: one })).join(' | ');
  if (type === 'array')
    return prefixItems ? `[${prefixItems.map(write).join(', ')}]` : `(${items ? write(items) : 'unknown'})[]`;
  if (type === 'object' || schema.properties) return writeObject(schema);
  if (type === 'string' && schema.contentMediaType === 'application/octet-stream') return 'Blob';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown';
}

function writeObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${comment(schema)}'${name}'${required.includes(name) ? '' : '?'}: ${write(schema)};`,
  );
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
  return `Record<string, ${typeof additionalProperties === 'object' ? write(additionalProperties) : 'unknown'}>`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, generate());
