/**
 * The API request for a test, as code. It contains the key that was created last in this tab. Without one, the user
 * fills in a key, because keys are shown only when they are created.
 */

export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

export type Language = 'curl' | 'javascript';

interface Request {
  origin: string;
  /** The complete API key, or the placeholder for one. */
  key: string;
  body: Readonly<Record<string, unknown>>;
}

export const SNIPPETS: readonly { value: Language; label: string; write: (request: Request) => string }[] = [
  { value: 'curl', label: 'curl', write: writeCurl },
  { value: 'javascript', label: 'JavaScript (fetch)', write: writeJavaScript },
];

const path = '/v1/messages';
const toJson = (body: Request['body']): string => JSON.stringify({ data: body }, null, 2);

/**
 * Quotes a string for the shell. A single quote would end the string, so it is placed outside the quotes and escaped
 * with a backslash.
 */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function writeCurl({ origin, key, body }: Request): string {
  return [
    `curl ${quote(origin + path)} \\`,
    `  -H 'X-API-Key: ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -d ${quote(toJson(body))}`,
  ].join('\n');
}

function writeJavaScript({ origin, key, body }: Request): string {
  const data = toJson(body).replaceAll('\n', '\n  ');
  return [
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    `    'X-API-Key': '${key}',`,
    `    'Content-Type': 'application/json',`,
    `    'Idempotency-Key': crypto.randomUUID(),`,
    `  },`,
    `  body: JSON.stringify(${data}),`,
    `});`,
    `const { data, errors } = await response.json();`,
    `if (!response.ok) throw new Error(errors.map((error) => error.message).join(' '));`,
    `console.log(data[0].id, data[0].status);`,
  ].join('\n');
}
