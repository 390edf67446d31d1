/**
 * An API like OpenAI's (`/assistance/v1`), with the engine behind it. `PUT /api/assistance` sets how it behaves next:
 * the pause before each part of the text, and a status with which it refuses requests.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Input, inputNumber, inputObject } from '../problem.ts';
import { countTokens, EngineError, MODEL, run } from './engine.ts';

interface Behavior {
  pause_ms: number;
  /** Zero: requests are accepted. */
  status: number;
}
const USUAL: Behavior = { pause_ms: 0, status: 0 };
/** The last request, without its key, so that tests can read the data that has left the server. */
interface Seen {
  system: string;
  user: string;
  has_tools: boolean;
}

export function assistanceRoutes(api: FastifyInstance): void {
  let behavior = USUAL;
  let seen: Seen[] = [];
  api.get('/api/assistance', () => ({ ...behavior, requests: seen }));
  api.put('/api/assistance', ({ body }) => {
    const input = inputObject(body, ['pause_ms', 'status']);
    behavior = {
      pause_ms: input.pause_ms === undefined ? 0 : inputNumber(input, 'pause_ms', { min: 0, max: 60_000 }),
      status: input.status === undefined ? 0 : inputNumber(input, 'status', { min: 0, max: 599 }),
    };
    seen = [];
    return behavior;
  });
  api.get('/assistance/v1/models', () => ({ object: 'list', data: [{ id: MODEL, object: 'model' }] }));
  api.post('/assistance/v1/chat/completions', async ({ headers, body }, reply) => {
    if (!headers.authorization?.startsWith('Bearer ')) return refuse(reply, 401, 'No key was given');
    if (behavior.status >= 400) return refuse(reply, behavior.status, 'The sandbox is set to refuse requests');
    const { system, user, input } = readMessages(body);
    seen = [...seen.slice(-19), { system, user, has_tools: 'tools' in input || 'functions' in input }];
    try {
      const text = run(system, user);
      const usage = { prompt_tokens: countTokens(system + user), completion_tokens: countTokens(text) };
      if (input.stream === true) return await stream(reply, text, usage, behavior.pause_ms);
      return { object: 'chat.completion', model: MODEL, choices: [choice({ message: text })], usage };
    } catch (error) {
      if (error instanceof EngineError) return refuse(reply, 400, error.message);
      throw error;
    }
  });
}

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ error: { message, type: 'sandbox' } });

function readMessages(body: unknown): { system: string; user: string; input: Input } {
  const input = (typeof body === 'object' && body !== null ? body : {}) as Input;
  const messages = Array.isArray(input.messages) ? (input.messages as { role?: string; content?: string }[]) : [];
  const text = (role: string) => String(messages.find((message) => message.role === role)?.content ?? '');
  return { system: text('system'), user: text('user'), input };
}

const choice = (part: { message?: string; delta?: string; finish?: string }) => ({
  index: 0,
  ...(part.message === undefined ? {} : { message: { role: 'assistant', content: part.message } }),
  ...(part.delta === undefined ? {} : { delta: { content: part.delta } }),
  finish_reason: part.finish ?? null,
});

async function stream(reply: FastifyReply, text: string, usage: object, pause_ms: number): Promise<FastifyReply> {
  reply.hijack();
  const out = reply.raw;
  out.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (value: object) =>
    out.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...value })}\n\n`);
  for (const delta of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
    if (pause_ms > 0) await pause(pause_ms);
    if (out.destroyed) return reply;
    send({ model: MODEL, choices: [choice({ delta })] });
  }
  send({ model: MODEL, choices: [choice({ delta: '', finish: 'stop' })] });
  send({ model: MODEL, choices: [], usage });
  out.end('data: [DONE]\n\n');
  return reply;
}
