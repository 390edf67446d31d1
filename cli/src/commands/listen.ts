import type { Call, Command } from '../command.ts';
import { readJson, statePath, writeJson } from '../files.ts';
import { type FeedEvent, FOLLOW_TIMEOUT_MS, follow } from '../follow.ts';
import { type Forwarded, forward, newSecret, readTarget } from '../forward.ts';
import { connect, isTestKey, type Login } from '../login.ts';
import { usageError } from '../problems.ts';
import { readTime } from '../time.ts';

export const listen: Command = {
  name: 'listen',
  summary: 'Forward events to a local URL, signed like webhooks',
  usage: '--forward-to URL',
  text: [
    'Your computer needs no public address, because the program fetches the events. It forwards the events of the ' +
      'account in order, each at least once. After a crash, an event can be sent again with the same `webhook-id`.',
    'The program continues after the last event that it forwarded to this URL, even if it was stopped or killed. ' +
      'If the URL is not reachable, it waits. Any response completes the delivery of an event, whatever its status.',
    'Verify the signature with the secret that the program prints. It stays the same for this URL.',
  ],
  options: {
    'forward-to': { type: 'string', value: 'URL', help: 'A port, or a URL, such as localhost:3000/webhooks' },
    events: { type: 'string', value: 'LIST', help: 'Only these events, such as message.received,message.failed' },
    since: { type: 'string', value: 'TIME', help: 'Start at this time instead, such as 30m or now' },
    'print-secret': { type: 'boolean', help: 'Print the secret and exit' },
  },
  arguments: { min: 0, max: 0 },
  examples: ['parley listen --forward-to 3000', 'parley listen --forward-to localhost:3000/webhooks --since 1h'],
  run,
};

interface State {
  /** Null before the first response. */
  cursor: string | null;
  secret: string;
}

async function run(call: Call): Promise<void> {
  const { output, signal } = call;
  const url = readTarget(call.required('forward-to'));
  const since = call.text('since');
  const start = since === undefined ? null : readTime(since);
  const events = readEvents(call.text('events'));
  const login = await call.login();
  const path = await findState(call, login, url);
  const state = await readState(path);
  if (call.flag('print-secret')) {
    await writeJson(path, state);
    return output.result({ secret: state.secret }, state.secret);
  }
  const parley = connect(login, { retries: 0, timeout_ms: FOLLOW_TIMEOUT_MS });
  const after = start ?? state.cursor ?? undefined;
  let isFirst = true;
  for await (const page of follow({ parley, after, signal, output })) {
    if (isFirst) {
      const from = start === null && state.cursor !== null ? `Continuing after ${state.cursor}.\n` : '';
      const ready = `${from}Forwarding events to ${url}\nSigning secret: ${state.secret}`;
      output.result({ forward_to: url, secret: state.secret, after: after ?? page.cursor }, ready);
    }
    isFirst = false;
    const isDone = await forwardPage(call, page.events, { url, secret: state.secret, events, path });
    if (!isDone) return;
    await writeJson(path, { ...state, cursor: page.cursor });
  }
}

interface Destination {
  url: string;
  secret: string;
  events: ReadonlySet<string> | null;
  path: string;
}

/** Stores the position after each event. Returns false if the program ends before the last one. */
async function forwardPage(call: Call, page: readonly FeedEvent[], to: Destination): Promise<boolean> {
  const { output, signal } = call;
  for (const [index, event] of page.entries()) {
    if (to.events && !to.events.has(event.type)) continue;
    const done = await forward(event, { url: to.url, secret: to.secret, signal, output });
    if (done === null) return false;
    const { id, type } = event;
    output.result({ id, type, ...done }, describe(event, done));
    // Events that are stored together have the same position.
    if (page[index + 1]?.cursor !== event.cursor) await writeJson(to.path, { secret: to.secret, cursor: event.cursor });
  }
  return true;
}

const describe = ({ id, type }: FeedEvent, { status, error, ms }: Forwarded): string =>
  `${new Date().toISOString().slice(11, 19)}  ${type.padEnd(20)}  ${id}  ${status ?? error} (${ms} ms)`;

function readEvents(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !/^[a-z_]+\.[a-z_]+$/.test(name));
  if (wrong !== undefined) throw usageError(`${JSON.stringify(wrong)} is not the name of an event`);
  return new Set(names);
}

/** Test keys and live keys get different events. */
async function findState({ env, signal }: Call, login: Login, url: string): Promise<string> {
  const { id } = await connect(login).accounts.get({ signal });
  return statePath(env, 'listen', [login.url, id, isTestKey(login.key) ? 'test' : 'live', url]);
}

async function readState(path: string): Promise<State> {
  const stored = await readJson(path);
  return {
    cursor: typeof stored?.cursor === 'string' ? stored.cursor : null,
    secret: typeof stored?.secret === 'string' ? stored.secret : newSecret(),
  };
}
