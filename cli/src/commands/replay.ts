import { createInterface } from 'node:readline/promises';
import type { ApiRequestDetail } from '@parley/sdk';
import type { Call, Command } from '../command.ts';
import { isTestKey, type Login, request } from '../login.ts';
import { printable } from '../output.ts';
import { CliError, EXIT, usageError } from '../problems.ts';
import { readTime } from '../time.ts';

const REPEATED_HEADER = 'idempotency-key';

export const replay: Command = {
  name: 'replay',
  summary: 'Repeat an API request, or resend webhook deliveries',
  usage: 'REQUEST_ID | --webhook ID (--since TIME | --delivery ID)',
  text: [
    'With the ID of a request, the request is repeated with your key, as the request log stored it. Requests that ' +
      'change something need --yes or a confirmation, because they send or change it once more.',
    'With --webhook, deliveries are resent: all that failed since a given time, or a single one.',
  ],
  options: {
    webhook: { type: 'string', value: 'ID', help: 'Resend deliveries of this webhook' },
    since: { type: 'string', value: 'TIME', help: 'Resend deliveries that failed since this time, such as 2h' },
    delivery: { type: 'string', value: 'ID', help: 'Resend this delivery' },
    yes: { type: 'boolean', help: 'Repeat the request without asking' },
  },
  arguments: { min: 0, max: 1 },
  examples: [
    'parley replay --webhook 0197a5f0-0000-7000-8000-000000000001 --since 2h',
    'parley replay 0197a5f0-0000-7000-8000-000000000002',
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const [request_id] = call.positionals;
  const webhook = call.text('webhook');
  if ((request_id === undefined) === (webhook === undefined))
    throw usageError('Use either the ID of a request or --webhook');
  if (webhook !== undefined) return resend(call, webhook);
  await repeat(call, request_id!);
}

async function resend(call: Call, id: string): Promise<void> {
  const { output, signal } = call;
  const since = call.text('since');
  const delivery_id = call.text('delivery');
  if ((since === undefined) === (delivery_id === undefined)) throw usageError('Use either --since or --delivery');
  const parley = await call.connect();
  if (delivery_id !== undefined) {
    const delivery = await parley.webhooks.resend({ params: { id, delivery_id }, signal });
    return output.result(delivery, `Resending delivery ${delivery.id}.`);
  }
  const recovered = await parley.webhooks.recover({ params: { id }, body: { since: readTime(since!) }, signal });
  const { count } = recovered;
  output.result(recovered, `Resending ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`);
}

async function repeat(call: Call, id: string): Promise<void> {
  const { output, signal } = call;
  const login = await call.login();
  const logged = await (await call.connect()).api_requests.get({ params: { id }, signal });
  checkRepeatable(logged, login);
  const { method, path, request_body } = logged;
  if (method !== 'GET' && !call.flag('yes')) await confirm(`${method} ${printable(path)}`, signal);
  const response = await request(`${login.url}${path}`, {
    ...{ method, signal },
    headers: {
      'x-api-key': login.key,
      [REPEATED_HEADER]: crypto.randomUUID(),
      ...(request_body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(request_body === null ? {} : { body: request_body }),
  });
  const text = await response.text();
  const request_id = response.headers.get('x-request-id');
  output.note(`${method} ${printable(path)}: ${response.status}, request ID ${request_id}`);
  output.result({ status: response.status, request_id, body: readBody(text) }, text);
  if (!response.ok) throw new CliError(`The server responded with ${response.status}`);
}

function checkRepeatable({ path, test, is_masked, is_hidden }: ApiRequestDetail, { key }: Login): void {
  if (!path.startsWith('/v1/')) throw new CliError('Only API calls can be repeated.');
  if (is_hidden) throw new CliError('Your key has no permission to view the body of this request.', EXIT.key);
  if (is_masked) throw new CliError('The request log has masked or shortened this request, so it cannot be repeated.');
  if (test !== isTestKey(key)) {
    const kind = test ? 'test' : 'live';
    throw new CliError(`This request was made with a ${kind} key. Use a ${kind} key to repeat it.`, EXIT.key);
  }
}

async function confirm(what: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) throw usageError(`Use --yes to repeat ${what}`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`Repeat ${what}? (y/N) `, { signal }).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was repeated.');
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
