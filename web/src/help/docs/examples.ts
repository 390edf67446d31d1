/** Writes an example request for an operation, as code. The reader fills in the key. */
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { DATE, type Operation, requestSchema, type Schema, unwrap } from './openapi.ts';

export type Language = 'curl' | 'node' | 'python';

const KEY = 'YOUR_API_KEY';
const TOKEN = 'YOUR_SESSION_TOKEN';
const ID = '0197a5f0-0000-7000-8000-000000000001';
const FILE = 'contacts.csv';

/** Examples for fields whose schema says no more than that they are text. */
const TEXTS: Readonly<Record<string, string>> = {
  channel: DEFAULT_CHANNEL,
  city: 'Hamburg',
  code: '123456',
  company_name: 'Harbour Coffee',
  country: 'GB',
  country_code: 'GB',
  first_name: 'Ann',
  from: 'Harbour',
  last_name: 'Quill',
  name: 'Autumn offer',
  number: '447400123456',
  password: 'correct-horse-battery-9',
  phone_number: '447400123456',
  text: 'Your order is on its way.',
  to: '447400123456',
  url: 'https://example.com',
};
/** Optional fields without which an example would be of no use. */
const TELLING: ReadonlySet<string> = new Set(['text', 'name', 'status']);

export function exampleValue(name: string, given: Schema): unknown {
  const { schema } = unwrap(given);
  const { type, enum: values, format, pattern = '', minimum = 1, items, properties, examples } = schema;
  if (schema.const !== undefined) return schema.const;
  if (values) return values[0];
  if (examples?.length) return examples[0];
  if (properties) return exampleObject(schema);
  if (type === 'array') return items ? [exampleValue(name, items)] : [];
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (format === 'uuid') return ID;
  if (format === 'email' || name === 'email') return 'ann@example.com';
  if (pattern.startsWith(DATE)) return '2030-01-31 09:00';
  return TEXTS[name] ?? 'text';
}

/** The required fields; if there are none, the first three. */
function exampleObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const names = Object.keys(properties);
  const chosen = names.filter((name) => required.includes(name) || TELLING.has(name));
  return Object.fromEntries(
    (chosen.length > 0 ? chosen : names.slice(0, 3)).map((name) => [name, exampleValue(name, properties[name] ?? {})]),
  );
}

interface Call {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  data: unknown;
  form: Record<string, unknown> | null;
  isIdempotent: boolean;
}

function describeCall(operation: Operation, origin: string): Call {
  const { method, path, parameters = [] } = operation;
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  const query = required.map(({ name, schema }) => `${name}=${String(exampleValue(name, schema))}`).join('&');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = exampleValue(name, parameters.find((one) => one.name === name)?.schema ?? {});
    return String(value === 'text' ? ID : value);
  });
  const body = requestSchema(operation);
  const example = body && exampleValue('', body.schema);
  const audience = operation['x-audience'] ?? 'account';
  const sign: (readonly [string, string])[] =
    operation['x-needs'] === 'public'
      ? []
      : audience === 'account'
        ? [['X-API-Key', KEY]]
        : [['Authorization', `Bearer ${TOKEN}`]];
  return {
    method,
    url: `${origin}${filled}${query && `?${query}`}`,
    headers: sign,
    data: body && !body.isForm ? { data: example } : undefined,
    form: body?.isForm ? (example as Record<string, unknown>) : null,
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

/** Quotes a string for the shell. A single quote would end the string, so it is written outside it with a backslash. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const indent = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

function writeCurl({ method, url, headers, data, form, isIdempotent }: Call): string {
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && (data || form)) ? '' : `-X ${method} `}${quote(url)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(isIdempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(data ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(data, null, 2))}`] : []),
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${name}=${name === 'file' ? `@${FILE}` : String(value)}`),
  ];
  return lines.join(' \\\n  ');
}

function writeNode({ method, url, headers, data, form, isIdempotent }: Call): string {
  const sent = [
    ...headers.map(([name, value]) => `'${name}': '${value}',`),
    ...(isIdempotent ? [`'Idempotency-Key': crypto.randomUUID(),`] : []),
    ...(data ? [`'Content-Type': 'application/json',`] : []),
  ];
  const upload = form
    ? [
        `import { openAsBlob } from 'node:fs';`,
        '',
        'const form = new FormData();',
        ...Object.entries(form).map(([name, value]) =>
          name === 'file'
            ? `form.set('file', await openAsBlob('${FILE}'), '${FILE}');`
            : `form.set('${name}', '${String(value)}');`,
        ),
      ]
    : [];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(sent.length > 0 ? ['  headers: {', ...sent.map((line) => `    ${line}`), '  },'] : []),
    ...(data ? [`  body: JSON.stringify(${indent(JSON.stringify(data, null, 2), 2)}),`] : []),
    ...(form ? ['  body: form,'] : []),
  ];
  return [
    ...upload,
    `const response = await fetch('${url}'${options.length > 0 ? `, {` : ');'}`,
    ...(options.length > 0 ? [...options, '});'] : []),
    'if (!response.ok) throw new Error(await response.text());',
    ...(method === 'DELETE' ? [] : ['console.log(await response.json());']),
  ].join('\n');
}

/** A value in Python's notation. */
function toPython(value: unknown, depth = 0): string {
  const pad = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map((item) => toPython(item, depth)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const rows = Object.entries(value).map(([key, inner]) => `${pad}"${key}": ${toPython(inner, depth + 1)},`);
  return rows.length > 0 ? `{\n${rows.join('\n')}\n${end}}` : '{}';
}

function writePython({ method, url, headers, data, form, isIdempotent }: Call): string {
  const sent = [
    ...headers.map(([name, value]) => `"${name}": "${value}"`),
    ...(isIdempotent ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
  ];
  const fields = Object.fromEntries(Object.entries(form ?? {}).filter(([name]) => name !== 'file'));
  return [
    ...(isIdempotent ? ['import uuid', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(sent.length > 0 ? [`    headers={${sent.join(', ')}},`] : []),
    ...(data ? [`    json=${toPython(data, 1)},`] : []),
    ...(form ? [`    data=${toPython(fields, 1)},`, `    files={"file": open("${FILE}", "rb")},`] : []),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    ...(method === 'DELETE' ? [] : ['print(response.json()["data"])']),
  ].join('\n');
}

export const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'node', label: 'Node' },
  { value: 'python', label: 'Python' },
];
const WRITERS = { curl: writeCurl, node: writeNode, python: writePython };

export const writeExample = (operation: Operation, language: Language, origin: string): string =>
  WRITERS[language](describeCall(operation, origin));
