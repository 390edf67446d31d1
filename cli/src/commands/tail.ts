import type { Call, Command } from '../command.ts';
import { type FeedEvent, FOLLOW_TIMEOUT_MS, follow } from '../follow.ts';
import { connect } from '../login.ts';
import { printable } from '../output.ts';
import { readTime } from '../time.ts';

const ARROWS: Readonly<Record<string, string>> = { MO: '←', MT: '→' };

export const tail: Command = {
  name: 'tail',
  summary: 'Follow messages and their statuses',
  usage: '[--since TIME]',
  text: [
    'Prints each received message, and each new status of a sent one, as it happens. After a lost connection, it ' +
      'continues where it left off. Events are kept for 7 days.',
  ],
  options: {
    since: { type: 'string', value: 'TIME', help: 'Start with the events since this time, such as 30m' },
    channel: { type: 'string', value: 'CHANNEL', help: 'Only messages of this channel' },
    number: { type: 'string', value: 'NUMBER', help: 'Only messages from or to this phone number' },
  },
  arguments: { min: 0, max: 0 },
  examples: ['parley tail', 'parley tail --since 1h --json | jq .data.status'],
  run,
};

async function run(call: Call): Promise<void> {
  const { output, signal } = call;
  const since = call.text('since');
  const after = since === undefined ? undefined : readTime(since);
  const channel = call.text('channel')?.toUpperCase();
  const number = call.text('number')?.replace(/\D/g, '');
  const login = await call.login();
  const parley = connect(login, { retries: 0, timeout_ms: FOLLOW_TIMEOUT_MS });
  let isFirst = true;
  for await (const { events } of follow({ parley, after, signal, output })) {
    if (isFirst) output.note(`Following the messages of ${login.url}. Press Ctrl+C to stop.`);
    isFirst = false;
    for (const event of events) if (isShown(event, channel, number)) output.result(event, describe(event));
  }
}

function isShown({ type, data }: FeedEvent, channel: string | undefined, number: string | undefined): boolean {
  if (!type.startsWith('message.')) return false;
  if (channel !== undefined && data.channel !== channel) return false;
  return number === undefined || data.from === number || data.to === number;
}

function describe({ type, timestamp, data }: FeedEvent): string {
  const text = (name: string) => printable(typeof data[name] === 'string' ? data[name] : '');
  const status = type.slice(type.indexOf('.') + 1);
  const test = data.test === true ? '[test] ' : '';
  return [
    timestamp.slice(0, 19).replace('T', ' '),
    status.padEnd(12),
    text('channel').padEnd(8),
    `${text('from')} ${ARROWS[text('direction')] ?? '·'} ${text('to')}`,
    `${test}${text('text')}`,
  ].join('  ');
}
