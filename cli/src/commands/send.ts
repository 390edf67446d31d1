import type { Parley } from '@parley/sdk';
import type { Call, Command } from '../command.ts';
import { printable, table } from '../output.ts';
import { usageError } from '../problems.ts';
import { readTime } from '../time.ts';

/** No channel accepts longer texts. */
const MAX_TEXT_BYTES = 64 * 1024;

export const send: Command = {
  name: 'send',
  summary: 'Send a message',
  usage: '--from SENDER --to NUMBER [TEXT]',
  text: ['If the text is `-`, it is read from stdin. A test key sends messages that are free and reach no phone.'],
  options: {
    from: { type: 'string', value: 'SENDER', help: 'The code of the sender' },
    to: { type: 'string', multiple: true, value: 'NUMBER', help: 'A phone number; repeat the option for up to 10' },
    channel: { type: 'string', value: 'CHANNEL', help: 'The channel of the sender; SMS by default' },
    template: { type: 'string', value: 'ID', help: 'A template instead of a text' },
    variable: { type: 'string', multiple: true, value: 'TEXT', help: 'The next variable of the template' },
    at: { type: 'string', value: 'TIME', help: 'Send at this time in UTC, such as 2027-01-31 09:00' },
    payload: { type: 'string', value: 'TEXT', help: 'A text that webhooks return with each status' },
    'idempotency-key': { type: 'string', value: 'TEXT', help: 'A second call with the same key sends nothing' },
    rehearse: { type: 'boolean', help: 'Show the texts and the price, and send nothing' },
  },
  arguments: { min: 0, max: 1 },
  examples: [
    'parley send --from Harbour --to 447400123456 "Your order is on its way."',
    'parley send --from Harbour --to 447400123456 - < message.txt',
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const { output, signal } = call;
  const body = await readMessage(call);
  const parley = await call.connect();
  if (call.flag('rehearse')) {
    const rehearsal = await parley.message_rehearsals.create({ body, signal });
    const rows = rehearsal.messages.map(({ to, text, segments_count }) => [
      to,
      `${segments_count} ${segments_count === 1 ? 'segment' : 'segments'}`,
      printable(text),
    ]);
    return output.result(rehearsal, `${table(rows)}\nNothing was sent.`);
  }
  const idempotency_key = call.text('idempotency-key');
  const messages = await parley.messages.create({
    ...{ body, signal },
    ...(idempotency_key === undefined ? {} : { idempotency_key }),
  });
  for (const message of messages) output.result(message, `${message.id}  ${message.to}  ${message.status}`);
}

type Body = Parameters<Parley['messages']['create']>[0]['body'];

async function readMessage(call: Call): Promise<Body> {
  const [argument] = call.positionals;
  const template = call.text('template');
  const variables = call.list('variable');
  const at = call.text('at');
  const payload = call.text('payload');
  const text = argument === '-' ? await readStdin() : argument;
  if (text === undefined && template === undefined) throw usageError('Enter a text, or use --template');
  return {
    from: call.required('from'),
    to: call.list('to'),
    // The server refuses other channels.
    channel: (call.text('channel')?.toUpperCase() ?? 'SMS') as Body['channel'],
    ...(text === undefined ? {} : { text }),
    ...(template === undefined ? {} : { template }),
    ...(variables.length === 0 ? {} : { variables }),
    ...(at === undefined ? {} : { schedule: readTime(at).slice(0, 19) }),
    ...(payload === undefined ? {} : { payload }),
  };
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_TEXT_BYTES) throw usageError('The text on stdin is too long for a message');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
