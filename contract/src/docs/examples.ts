/** Writes an example request for an operation, as code. The reader fills in the key. */
import { DEFAULT_CHANNEL } from '../channels/names.ts';
import { DATE, type Operation, requestSchema, type Schema, unwrap } from './openapi.ts';

export type Language = 'curl' | 'typescript' | 'python' | 'php';

const KEY = 'YOUR_API_KEY';
const TOKEN = 'YOUR_SESSION_TOKEN';
const ID = '0197a5f0-0000-7000-8000-000000000001';
const FILE = 'contacts.csv';
/** The files of uploads other than lists of contacts. */
const FILES: Readonly<Record<string, string>> = {
  'media.create': 'photo.png',
  'senders.put_required_attachments': 'certificate.pdf',
  'senders.put_viber_attachments': 'letter.pdf',
  'senders.put_whatsapp_attachments': 'logo.png',
};

/** Examples for fields whose schema states only that they are text. */
const TEXTS: Readonly<Record<string, string>> = {
  business_address: '1 Harbour Street, London',
  business_country: 'GB',
  business_email: 'ann@example.com',
  business_name: 'Harbour Coffee',
  business_phone: '447400123456',
  business_website: 'https://www.example.com',
  channel: DEFAULT_CHANNEL,
  city: 'Hamburg',
  code: '123456',
  company_address: '1 Harbour Street, London',
  company_name: 'Harbour Coffee',
  company_website: 'https://www.example.com',
  contact_name: 'Ann Quill',
  emoji: '👍',
  countries: 'GB',
  country: 'GB',
  country_code: 'GB',
  current_password: 'Correct-horse-battery-9',
  default_country: 'GB',
  emails: 'ann@example.com',
  events: 'message.received',
  factor_code: '123456',
  file_name: 'photo.png',
  first_name: 'Ann',
  from: 'Harbour',
  host: 'links.example.com',
  last_name: 'Quill',
  name: 'Autumn offer',
  number: '447400123456',
  password: 'Correct-horse-battery-9',
  phone_number: '447400123456',
  setup_intent: 'seti_1PqRsTuVwXyZ',
  sort: '-create_date',
  tax_country: 'US',
  tax_id: '12-3456789',
  text: 'Your order is on its way.',
  to: '447400123456',
  url: 'https://example.com',
};
/** The example for a field that requires a longer text. */
const LONG_TEXT = 'Customers get a message when their order is on its way.';
/** Optional fields without which an example would be of no use. */
const TELLING: ReadonlySet<string> = new Set(['text', 'name', 'status', 'password', 'events']);

const SFTP_SERVER = {
  ...{ type: 'sftp', name: 'Data warehouse', host: 'sftp.example.com', username: 'parley', folder: '/incoming' },
  ...{ password: 'Correct-horse-battery-9', host_key_type: 'ssh-ed25519' },
  host_key_fingerprint: 'SHA256:uNiVztksCsDhcc0u9e8BrqXVUDyfJ4XrbOGgfrMx5dQ',
};

const VOLUME_PRICE = {
  ...{ channel: DEFAULT_CHANNEL, country: 'GB', currency: 'USD', month: '2027-01' },
  steps: [
    { above_units: 10_000, price_micros: 38_000 },
    { above_units: 100_000, price_micros: 35_000 },
  ],
};

/** Whole bodies, for calls whose schema does not state which fields belong together. */
const BODIES: Readonly<Record<string, unknown>> = {
  'price_plans.create': {
    effective_date: '2027-02-01 00:00:00',
    price: { channel: DEFAULT_CHANNEL, country: 'GB', currency: 'USD', price_micros: 52_000 },
  },
  'volume_prices.create': VOLUME_PRICE,
  'volume_prices.preview': VOLUME_PRICE,
  'dunning_settings.update': {
    enabled: true,
    steps: [{ days: 3, subject: 'Your balance is overdue', text: 'Add funds to settle the amount.', pauses: false }],
  },
  'overdue_accounts.update': { extend_date: '2027-02-01 00:00:00', exempt: false, reason: 'Payment is on its way' },
  'utm_presets.create': { name: 'Newsletter by SMS', source: 'newsletter', medium: 'sms' },
  'users.mark_news_seen': { news_id: '9f86d081884c' },
  'carrier_statements.create': {
    connection_id: ID,
    filename: 'january.csv',
    currency: 'USD',
    text: 'date,country,segments,amount\n2027-01-01,GB,1200,28.80\n',
  },
  'carrier_lines.resolve': { reason: 'The carrier corrects it in its next statement' },
  'payment_differences.resolve': { reason: 'Another program uses this Stripe account' },
  'webhooks.create_certificate': {},
  'audiences.count': {
    conditions: { match: 'all', conditions: [{ subject: 'country', operator: 'is_one_of', value: ['GB', 'DE'] }] },
  },
  'campaigns.create': {
    ...{ name: 'Autumn offer', channel: DEFAULT_CHANNEL, from: 'Harbour', audience: ID },
    text: 'Hello {first_name:there}, enjoy 10% off this week.',
  },
  'campaign_rehearsals.create': { from: 'Harbour', audience: ID, text: 'Enjoy 10% off this week.' },
  'campaign_imports.create': { name: 'Spring offer', from: 'Harbour', text: 'Enjoy 10% off this week.', file: '' },
  'campaign_samples.create': { from: 'Harbour', audience: ID, text: 'Enjoy 10% off this week.' },
  'bulk_jobs.create': { action: 'remove_campaigns', ids: [ID] },
  'export_destinations.create': SFTP_SERVER,
  'export_destinations.update': SFTP_SERVER,
  'export_destination_tests.create': { type: 'sftp', host: 'sftp.example.com' },
  'assistance.create': { action: 'formal', text: 'ok, see you tomorrow' },
  'assistance_provider.update': {
    ...{ enabled: true, url: 'https://api.example.com/v1', api_key: 'secret', model: 'small', timeout_seconds: 30 },
    ...{ input_price_micros: 150, output_price_micros: 600, account_cap_micros: 10_000_000 },
  },
  'assistance_settings.update': { masks_personal_data: true, monthly_cap_micros: 5_000_000, retention_days: 30 },
  'content_rules.create': { name: 'Link shorteners', kind: 'links', action: 'hold', links: 'shorteners' },
  'content_back_tests.create': { kind: 'words', words: ['casino'], countries: ['GB'] },
  'message_reviews.decide': { decision: 'release', ids: [ID], reason: 'A known customer' },
  'inbox_rules.create': { name: 'Refunds', conditions: { texts: ['refund'] }, actions: { reply: 'We are on it.' } },
  'inbox_settings.update': { office_hours: [{ days: [1, 2, 3, 4, 5], from: '09:00', until: '18:00' }] },
  'digest_settings.update': { every_hours: 24, time: '08:00', timezone: 'Europe/Berlin', mention_emails: true },
  'keywords.create': { words: ['hours'], reply: 'We are open from 9 to 18, {first_name:friend}.' },
  'brand.update': { name: 'Acme Texts', color: '#0b6b43', reviews: [] },
  'opt_in_forms.create': {
    audience_id: ID,
    name: 'Shop window',
    sender_id: ID,
    texts: [
      {
        language: 'en',
        title: 'Offers from Harbour Coffee',
        description: 'One message a week.',
        consent: 'I agree to receive offers from Harbour Coffee. I can stop them at any time by replying STOP.',
      },
    ],
    fields: [{ key: 'first_name', required: true }],
  },
  'keys.create': { name: 'Shop', permissions: { MESSAGES: 3, SENDERS: 1 } },
  'media.create_slot': { file_name: 'photo.png', type: 'image' },
  'push_devices.create': {
    endpoint: 'https://push.example.com/send/abc',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  'inbox_view_notifications.update': { devices: true, toasts: true, sound: false, digest: true },
  'push_settings.update': { quiet_hours: { from: '20:00', until: '08:00' } },
  'senders.create': { channel: DEFAULT_CHANNEL, type: 'sender_id', code: 'Harbour', countries: ['GB'] },
  'verifications.create': { channel: DEFAULT_CHANNEL, sender: 'Harbour', phone: '447400123456', code_length: 6 },
};

export function exampleValue(name: string, given: Schema): unknown {
  const { schema } = unwrap(given);
  const {
    type,
    enum: values,
    format,
    pattern = '',
    minimum = 1,
    minLength = 0,
    minItems = 1,
    items,
    properties,
    examples,
  } = schema;
  if (schema.const !== undefined) return schema.const;
  if (values) return values[0];
  if (examples?.length) return examples[0];
  if (properties) return exampleObject(schema);
  if (type === 'array')
    return items ? Array.from({ length: Math.max(1, minItems) }, () => exampleValue(name, items)) : [];
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (format === 'uuid') return ID;
  if (format === 'email' || name === 'email') return 'ann@example.com';
  if (pattern.startsWith(DATE)) return '2030-01-31 09:00';
  const text = TEXTS[name] ?? 'text';
  return text.length >= minLength ? text : LONG_TEXT;
}

/** The required fields; if there are none, the first three. */
function exampleObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const names = Object.keys(properties);
  const chosen = names.filter((name) => required.includes(name) || TELLING.has(name));
  return Object.fromEntries(
    (chosen.length > 0 ? chosen : names.slice(0, 3)).map((name) => [name, exampleValue(name, properties[name] ?? {})]),
  );
}

export interface ExampleCall {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  data: unknown;
  form: Record<string, unknown> | null;
  /** The file of the form. */
  file: string;
  isIdempotent: boolean;
}

export function describeCall(operation: Operation, origin: string): ExampleCall {
  const { method, path, parameters = [] } = operation;
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  const query = required.map(({ name, schema }) => `${name}=${String(exampleValue(name, schema))}`).join('&');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = exampleValue(name, parameters.find((one) => one.name === name)?.schema ?? {});
    return String(value === 'text' ? ID : value);
  });
  const body = requestSchema(operation);
  const example = BODIES[operation.operationId] ?? (body && exampleValue('', body.schema));
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
    file: FILES[operation.operationId] ?? FILE,
    form: body?.isForm ? (example as Record<string, unknown>) : null,
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

/** Quotes a string for the shell. A single quote would end the string, so it is written outside it with a backslash. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const indent = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

const quoteIfNeeded = (text: string): string => (/^[\w=@.:/+-]+$/.test(text) ? text : quote(text));

function writeCurl({ method, url, headers, data, form, file, isIdempotent }: ExampleCall): string {
  const isImplied = method === 'GET' || (method === 'POST' && (data || form));
  // Without -g, curl reads brackets as a range.
  const flags = `${url.includes('[') ? '-g ' : ''}${isImplied ? '' : `-X ${method} `}`;
  const lines = [
    `curl ${flags}${quote(url)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(isIdempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(data ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(data, null, 2))}`] : []),
    ...Object.entries(form ?? {}).map(
      ([name, value]) => `-F ${quoteIfNeeded(`${name}=${name === 'file' ? `@${file}` : String(value)}`)}`,
    ),
  ];
  return lines.join(' \\\n  ');
}

function writeTypeScript({ method, url, headers, data, form, file, isIdempotent }: ExampleCall): string {
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
            ? `form.set('file', await openAsBlob('${file}'), '${file}');`
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

function writePython({ method, url, headers, data, form, file, isIdempotent }: ExampleCall): string {
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
    ...(form ? [`    data=${toPython(fields, 1)},`, `    files={"file": open("${file}", "rb")},`] : []),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    ...(method === 'DELETE' ? [] : ['print(response.json()["data"])']),
  ].join('\n');
}

/** Writes a value in PHP. An empty object is not written as an empty array, because PHP would send it as a list. */
function toPhp(value: unknown, depth = 0): string {
  const pad = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  if (value === undefined) return 'null';
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (Array.isArray(value)) return `[${value.map((item) => toPhp(item, depth)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const rows = Object.entries(value).map(([key, inner]) => `${pad}'${key}' => ${toPhp(inner, depth + 1)},`);
  return rows.length > 0 ? `[\n${rows.join('\n')}\n${end}]` : 'new stdClass()';
}

function writePhp({ method, url, headers, data, form, file, isIdempotent }: ExampleCall): string {
  const sent = [
    ...headers.map(([name, value]) => toPhp(`${name}: ${value}`)),
    ...(isIdempotent ? ["'Idempotency-Key: ' . bin2hex(random_bytes(16))"] : []),
    ...(data ? ["'Content-Type: application/json'"] : []),
  ];
  const fields = Object.entries(form ?? {}).map(([name, value]) =>
    name === 'file' ? `        'file' => new CURLFile('${file}'),` : `        '${name}' => ${toPhp(String(value))},`,
  );
  const options = [
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(sent.length > 0 ? ['CURLOPT_HTTPHEADER => [', ...sent.map((line) => `    ${line},`), '],'] : []),
    ...(data ? [`CURLOPT_POSTFIELDS => json_encode(${toPhp(data, 1)}),`] : []),
    'CURLOPT_RETURNTRANSFER => true,',
    'CURLOPT_TIMEOUT => 30,',
  ].map((line) => `    ${line}`);
  const upload = form ? ['    CURLOPT_POSTFIELDS => [', ...fields, '    ],'] : [];
  return [
    '<?php',
    `$request = curl_init(${toPhp(url)});`,
    'curl_setopt_array($request, [',
    ...options,
    ...upload,
    ']);',
    '$response = curl_exec($request);',
    'if ($response === false) {',
    '    throw new RuntimeException(curl_error($request));',
    '}',
    'if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {',
    '    throw new RuntimeException($response);',
    '}',
    ...(method === 'DELETE' ? [] : ["print_r(json_decode($response, true)['data']);"]),
  ].join('\n');
}

export const LANGUAGES: readonly { value: Language; label: string; fence: string }[] = [
  { value: 'curl', label: 'curl', fence: 'sh' },
  { value: 'typescript', label: 'TypeScript', fence: 'ts' },
  { value: 'python', label: 'Python', fence: 'python' },
  { value: 'php', label: 'PHP', fence: 'php' },
];
const WRITERS = { curl: writeCurl, typescript: writeTypeScript, python: writePython, php: writePhp };

export interface EditedCall {
  /** Includes the query. */
  path: string;
  key: string;
  /** JSON. Empty if the call has no body. */
  body: string;
}

/** Writes the curl command for a call that the reader has edited. */
export const writeEditedCurl = (operation: Operation, origin: string, { path, key, body }: EditedCall): string =>
  writeCurl({
    ...describeCall(operation, origin),
    url: `${origin}${path}`,
    headers: [['X-API-Key', key]],
    data: body ? JSON.parse(body) : undefined,
  });

export const writeExample = (operation: Operation, language: Language, origin: string): string =>
  WRITERS[language](describeCall(operation, origin));
