/** The API request for a test, as code. The user fills in the API key, which is shown only when it is created. */

const KEY = 'YOUR_API_KEY';

export type Language = 'curl' | 'javascript';

interface Request {
  origin: string;
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

function writeCurl({ origin, body }: Request): string {
  return [
    `curl ${quote(origin + path)} \\`,
    `  -H 'X-API-Key: ${KEY}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -d ${quote(toJson(body))}`,
  ].join('\n');
}

function writeJavaScript({ origin, body }: Request): string {
  const data = toJson(body).replaceAll('\n', '\n  ');
  return [
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    `    'X-API-Key': '${KEY}',`,
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
