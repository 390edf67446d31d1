/** The very request that was sent, for whoever wants to send it from a program. The key is theirs to fill in: it is shown once, when it is made. */

const KEY = 'YOUR_API_KEY';

export type Language = 'curl' | 'javascript';

export interface Request {
  origin: string;
  body: Readonly<Record<string, unknown>>;
}

export const SNIPPETS: readonly { value: Language; label: string; of: (request: Request) => string }[] = [
  { value: 'curl', label: 'curl', of: curl },
  { value: 'javascript', label: 'JavaScript (fetch)', of: javascript },
];

const path = '/v1/messages';
const wrapped = (body: Request['body']): string => JSON.stringify({ data: body }, null, 2);

/** Single quotes end a shell's string; outside of it one is written with a backslash. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ origin, body }: Request): string {
  return [
    `curl ${quoted(origin + path)} \\`,
    `  -H 'X-API-Key: ${KEY}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -d ${quoted(wrapped(body))}`,
  ].join('\n');
}

function javascript({ origin, body }: Request): string {
  const data = wrapped(body).replaceAll('\n', '\n  ');
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
