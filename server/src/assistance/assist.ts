/**
 * One request of a user to the language model, from the conversation to the text. Nothing here can send a message or
 * change a conversation: the text goes to the user's browser, and a masked copy to the log. The response begins with
 * the first part of the text, so that errors before it have their own status.
 */
import { ACTION_RULES, type AssistanceLine } from '@parley/contract/assistance/actions.ts';
import { assistanceRequestEnded, type createAssistance } from '@parley/contract/assistance/assistance.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { Problem, type ProblemName, problemCode } from '@parley/contract/problem.ts';
import { getConversation, listMessages } from '../inbox/inbox.ts';
import { newId } from '../kernel/clock.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { readSettings } from './assistance.ts';
import { countTokens, highestCost, outputLimit, priceTokens } from './costs.ts';
import { Masker, StreamRestorer } from './masking.ts';
import { complete, type Fault, ModelError, type ModelInput, type ModelOutput } from './model.ts';
import { type Line, MAX_MESSAGES, type Prompt, readThread, systemText, userText } from './prompts.ts';
import * as queries from './queries.ts';

/** The requests that a user can run at the same time, in each process. */
const MAX_RUNNING = 3;
const ERROR_LENGTH = 500;

type Input = Parsed<typeof createAssistance>;

const FAULTS: Readonly<Record<Fault, ProblemName>> = {
  unreachable: 'ASSISTANCE_UNREACHABLE',
  busy: 'ASSISTANCE_BUSY',
  refused: 'ASSISTANCE_REFUSED',
};

const running = new Map<string, number>();

export async function assist(ctx: Ctx, { params, body }: Input): Promise<void> {
  const { account_id, user_id } = ctx.actor;
  const key = `${account_id} ${user_id}`;
  const count = running.get(key) ?? 0;
  if (count >= MAX_RUNNING) throw new Problem('ASSISTANCE_BUSY', { internal: `${count} requests of the user run` });
  running.set(key, count + 1);
  try {
    await answer(ctx, await prepare(ctx, params.id, body));
  } finally {
    const left = running.get(key)! - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
  }
}

interface Request {
  id: string;
  provider: queries.ProviderRow;
  input: ModelInput;
  masker: Masker;
  /** True if the model gets placeholders. */
  isMasked: boolean;
}

/** Checks the request, and reserves the most that it can cost. */
async function prepare({ kernel, actor, tx }: Ctx, conversation_id: string, body: Input['body']): Promise<Request> {
  const conversation = await getConversation(tx, actor, conversation_id);
  const { provider, settings, cap_micros } = await readSettings(tx, actor.account_id);
  if (!provider) throw new Problem('ASSISTANCE_NOT_CONFIGURED');
  if (!settings.enabled) throw new Problem('ASSISTANCE_OFF');
  const { action, language = null, text = '' } = body;
  const { needs_text, needs_language, needs_thread } = ACTION_RULES[action];
  if (needs_text && text.trim() === '') throw new Problem('ASSISTANCE_TEXT_REQUIRED');
  if (needs_language && language === null) throw new Problem('ASSISTANCE_LANGUAGE_REQUIRED');
  const { thread, names } = needs_thread
    ? await readConversation({ kernel, actor, tx }, conversation, action)
    : { thread: [], names: [conversation.contact_name, conversation.profile_name] };
  const masker = new Masker(names);
  const prompt: Prompt = { action, language: needs_language ? language : null, draft: text, thread };
  const masked = maskPrompt(prompt, masker);
  const sent = settings.masks_personal_data ? masked : prompt;
  const input = { system: systemText(sent), user: userText(sent), max_tokens: outputLimit(action, userText(sent)) };
  const id = newId();
  const cost_micros = highestCost(provider, input.system + input.user, input.max_tokens);
  await kernel.db.tx(async (write) => {
    if (!(await queries.reserve(write, actor.account_id, cost_micros, cap_micros)))
      throw new Problem('ASSISTANCE_CAP_REACHED');
    await queries.insertRequest(write, {
      ...{ account_id: actor.account_id, id, conversation_id, user_id: actor.user_id!, action },
      ...{ language: prompt.language, model: provider.model, prompt: userText(masked), cost_micros },
    });
  });
  return { id, provider, input, masker, isMasked: settings.masks_personal_data };
}

async function readConversation(
  { kernel, actor, tx }: Pick<Ctx, 'kernel' | 'actor' | 'tx'>,
  conversation: Conversation,
  action: Prompt['action'],
): Promise<{ thread: Line[]; names: string[] }> {
  const { data } = await listMessages(kernel, tx, actor, conversation.id, { page_size: MAX_MESSAGES });
  const thread = readThread(action, data);
  if (!thread.some(({ from }) => from === 'contact')) throw new Problem('ASSISTANCE_THREAD_EMPTY');
  const agents = data.flatMap(({ user_name }) => (user_name ? [user_name] : []));
  return { thread, names: [conversation.contact_name, conversation.profile_name, ...new Set(agents)] };
}

const maskPrompt = (prompt: Prompt, masker: Masker): Prompt => ({
  ...prompt,
  draft: masker.mask(prompt.draft),
  thread: prompt.thread.map(({ from, text }) => ({ from, text: masker.mask(text) })),
});

/** Writes the text to the response while it arrives. If the browser leaves, the request to the model is canceled. */
async function answer(ctx: Ctx, request: Request): Promise<void> {
  const { kernel, actor, reply } = ctx;
  const { input, provider, masker, isMasked } = request;
  const canceled = new AbortController();
  const leave = () => canceled.abort();
  reply.raw.on('close', leave);
  const start = performance.now();
  const restorer = new StreamRestorer((text) => (isMasked ? masker.restore(text) : text));
  const lines = new LineWriter(ctx);
  let received = '';
  const end = (status: queries.Ending['status'], usage: ModelOutput['usage'], error: string | null) =>
    endRequest(kernel, actor, request, {
      ...{ status, error, duration_ms: Math.round(performance.now() - start) },
      response: isMasked ? received : masker.mask(received),
      ...priced(provider, usage),
    });
  try {
    const { usage } = await complete(kernel, provider, input, {
      signal: canceled.signal,
      onText: (text) => {
        received += text;
        lines.text(restorer.push(text));
      },
    });
    lines.text(restorer.end());
    await end('completed', usage ?? estimate(input, received), null);
    lines.end({ done: true, request_id: request.id, model: provider.model });
  } catch (error) {
    const isModelError = error instanceof ModelError;
    const isCharged = isModelError && error.isCharged;
    const usage = isCharged ? estimate(input, received) : { input: 0, output: 0 };
    const reason = isModelError ? error.message.replaceAll('\0', '').slice(0, ERROR_LENGTH) : 'Internal error';
    await end(canceled.signal.aborted ? 'canceled' : 'failed', usage, canceled.signal.aborted ? null : reason);
    if (canceled.signal.aborted) return lines.end(null);
    const problem = isModelError ? new Problem(FAULTS[error.fault], { internal: error.message }) : error;
    if (!lines.isOpen || !(problem instanceof Problem)) throw problem;
    kernel.log.warn({ req_id: ctx.request_id, reason: (error as Error).message }, 'assistance stopped in the middle');
    lines.end({ problem: { code: problemCode(problem.name), message: problem.message } });
  } finally {
    reply.raw.off('close', leave);
  }
}

const estimate = (input: ModelInput, received: string) => ({
  input: countTokens(input.system + input.user),
  output: countTokens(received),
});

const priced = (provider: queries.ProviderRow, usage: ModelOutput['usage']) => ({
  input_tokens: usage?.input ?? 0,
  output_tokens: usage?.output ?? 0,
  cost_micros: priceTokens(provider, usage?.input ?? 0, usage?.output ?? 0),
});

const endRequest = ({ db }: Kernel, { account_id }: Actor, { id }: Request, ending: queries.Ending): Promise<void> =>
  db.tx(async (tx) => {
    await queries.endRequest(tx, account_id, id, ending);
    emit(tx, assistanceRequestEnded, account_id, { id, status: ending.status });
  });

/** The lines of the response. Its head is sent with the first line. */
class LineWriter {
  isOpen = false;
  private readonly ctx: Ctx;

  constructor(ctx: Ctx) {
    this.ctx = ctx;
  }

  text(text: string): void {
    if (text !== '') this.write({ text });
  }

  end(line: AssistanceLine | null): void {
    if (line) this.write(line);
    this.open();
    this.ctx.reply.raw.end();
  }

  private write(line: AssistanceLine): void {
    this.open();
    this.ctx.reply.raw.write(`${JSON.stringify(line)}\n`);
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    const { reply } = this.ctx;
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'application/x-ndjson; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    reply.raw.socket?.setNoDelay(true);
  }
}
