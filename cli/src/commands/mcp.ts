import { addAbortSignal, type Readable } from 'node:stream';
import type { Call, Command } from '../command.ts';
import { type Login, request } from '../login.ts';
import { reason } from '../problems.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the agent tools over stdio',
  usage: '',
  text: [
    'For agents that start their MCP servers as commands. It passes messages between stdio and the MCP server of ' +
      'Parley, with your key. The agent sees only the tools that the key allows, so give it a key of its own.',
  ],
  options: {},
  arguments: { min: 0, max: 0 },
  examples: ['claude mcp add parley -- npx parley mcp'],
  run,
};

interface Message {
  id?: string | number | null;
  method?: string;
  params?: { protocolVersion?: string };
  result?: { protocolVersion?: string };
}

const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;

interface Bridge {
  login: Login;
  signal: AbortSignal;
  /** Negotiated in the response to `initialize`, and sent with every later message. */
  version: string | undefined;
}

async function run(call: Call): Promise<void> {
  const bridge: Bridge = { login: await call.login(), signal: call.signal, version: undefined };
  const pending = new Set<Promise<void>>();
  for await (const line of readLines(process.stdin, call.signal)) {
    const done = pass(bridge, line);
    pending.add(done);
    void done.finally(() => pending.delete(done));
    // Later messages need the version that this one negotiates.
    if (bridge.version === undefined) await done;
  }
  await Promise.all(pending);
}

/** Lines end with a line feed only. `node:readline` also splits at characters that JSON may contain. */
async function* readLines(input: Readable, signal: AbortSignal): AsyncGenerator<string, void> {
  let rest = '';
  try {
    for await (const chunk of addAbortSignal(signal, input.setEncoding('utf8'))) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop()!;
      yield* lines.filter((line) => line.trim() !== '');
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (rest.trim() !== '') yield rest;
}

/** Sends one message of the agent, and writes the responses. Requests run at the same time. */
async function pass(bridge: Bridge, line: string): Promise<void> {
  const message = parse(line);
  if (message === null) return write(failure(null, PARSE_ERROR, 'The message is not JSON'));
  try {
    for await (const text of post(bridge, line)) {
      const answer = parse(text);
      if (message.method === 'initialize') bridge.version = answer?.result?.protocolVersion ?? bridge.version;
      write(text);
    }
  } catch (error) {
    if (bridge.signal.aborted) return;
    const text = error instanceof Error ? `${error.message}${reason(error.cause)}` : String(error);
    // Notifications get no response.
    if (message.id !== undefined && message.method !== undefined) write(failure(message.id, INTERNAL_ERROR, text));
    else process.stderr.write(`${text}\n`);
  }
}

function parse(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Message | null) : null;
  } catch {
    return null;
  }
}

const failure = (id: string | number | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

const write = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

async function* post({ login, signal, version }: Bridge, line: string): AsyncGenerator<string, void> {
  const response = await request(`${login.url}/mcp`, {
    ...{ method: 'POST', body: line, signal },
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': login.key,
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(refusal(response.status, text));
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    if (text.trim()) yield JSON.stringify(JSON.parse(text));
    return;
  }
  for (const event of text.split(/\r?\n\r?\n/)) {
    const data = event.split(/\r?\n/).filter((part) => part.startsWith('data:'));
    const joined = data.map((part) => part.slice(5).trim()).join('');
    if (joined) yield joined;
  }
}

function refusal(status: number, text: string): string {
  try {
    const [error] = (JSON.parse(text) as { errors: { message: string; code: number }[] }).errors;
    return `${error!.message} (code ${error!.code})`;
  } catch {
    return `The server responded with ${status}`;
  }
}
