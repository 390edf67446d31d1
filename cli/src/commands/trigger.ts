import type { Call, Command } from '../command.ts';
import { type Login, request } from '../login.ts';
import { CliError, usageError } from '../problems.ts';

export const trigger: Command = {
  name: 'trigger',
  summary: 'Send an example event',
  usage: 'EVENT [--webhook ID]',
  text: [
    'The example reaches all running `parley listen` and `parley tail` commands of the account. With --webhook, it ' +
      'is sent to that webhook instead. Its data contains `"example": true`.',
  ],
  options: {
    webhook: { type: 'string', value: 'ID', help: 'Send the example to this webhook' },
    list: { type: 'boolean', help: 'List the names of all events' },
  },
  arguments: { min: 0, max: 1 },
  examples: ['parley trigger message.received', 'parley trigger --list'],
  run,
};

async function run(call: Call): Promise<void> {
  const { output, signal } = call;
  if (call.flag('list')) {
    const events = await readNames(await call.login(), signal);
    return output.result({ events }, events.join('\n'));
  }
  const [event] = call.positionals;
  if (event === undefined) throw usageError('EVENT is required. `parley trigger --list` lists all events.');
  const parley = await call.connect();
  const id = call.text('webhook');
  if (id === undefined) {
    await parley.webhooks.create_example_event({ body: { event: event as never }, signal });
    return output.result({ event }, `Added an example of ${event} to the event feed.`);
  }
  const delivery = await parley.webhooks.send_example({ params: { id }, body: { event }, signal });
  output.result(delivery, `Created delivery ${delivery.id} with an example of ${event}.`);
}

/** The server's own list, because another version can have other events. */
async function readNames({ url }: Login, signal: AbortSignal): Promise<string[]> {
  const response = await request(`${url}/v1/openapi.json`, { signal });
  const found = /"enum":(\["message\.received",[^\]]*\])/.exec(await response.text());
  if (!found) throw new CliError('This server lists no events. Update it first.');
  return JSON.parse(found[1]!) as string[];
}
