/**
 * Calls the language model through an API that is compatible with OpenAI's chat completions. The request goes through
 * the guarded connector. It offers the model no tools, and everything in the response except the text is ignored.
 */
import { createOutbound, type GuardedResponse, type Outbound, OutboundError } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Config } from '../kernel/settings/config.ts';
import type { ProviderRow } from './queries.ts';

const MAX_BYTES = 1024 * 1024;
/** A longer response is cut off. */
export const MAX_RESPONSE = 20_000;
const EXCERPT = 300;

/** unreachable: no response. busy: too many requests. refused: an error, or no text. */
export type Fault = 'unreachable' | 'busy' | 'refused';
export class ModelError extends Error {
  readonly fault: Fault;
  /** True if the model may have worked on the request, so that it costs something. */
  readonly isCharged: boolean;
  constructor(fault: Fault, message: string, isCharged: boolean) {
    super(message);
    this.name = 'ModelError';
    this.fault = fault;
    this.isCharged = isCharged;
  }
}

export interface ModelInput {
  system: string;
  user: string;
  max_tokens: number;
}

export interface ModelOutput {
  text: string;
  /** Null if the API does not report them. */
  usage: { input: number; output: number } | null;
}

const opened = new WeakMap<Config, Outbound>();
export function outbound(config: Config): Outbound {
  const known = opened.get(config) ?? createOutbound(config);
  opened.set(config, known);
  return known;
}

/** The place that the sealed key is bound to. */
export const KEY_PLACE = { table: 'assistance_provider', row: 'provider' };

/** Streams the text to `onText`. Throws ModelError. */
export async function complete(
  kernel: Pick<Kernel, 'config' | 'seals'>,
  provider: ProviderRow,
  input: ModelInput,
  { signal, onText }: { signal: AbortSignal; onText: (text: string) => void },
): Promise<ModelOutput> {
  const reader = new ResponseReader(onText);
  const key = provider.api_key === null ? null : kernel.seals.open(provider.api_key, KEY_PLACE);
  let response: GuardedResponse;
  try {
    response = await outbound(kernel.config).fetch(`${provider.url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream, application/json',
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model: provider.model,
        messages: [
          { role: 'system', content: input.system },
          { role: 'user', content: input.user },
        ],
        max_tokens: input.max_tokens,
        stream: true,
        stream_options: { include_usage: true },
      }),
      timeout_ms: provider.timeout_seconds * 1_000,
      max_bytes: MAX_BYTES,
      signal,
      onPart: (part, status) => {
        if (status === 200) reader.push(part);
      },
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // After a timeout or a lost connection, the model may have done the work.
    const isCharged = reader.text !== '' || error.reason === 'timeout';
    throw new ModelError('unreachable', error.message, isCharged);
  }
  if (response.status !== 200) throw refusal(response);
  reader.end(response);
  if (reader.text.trim() === '') throw new ModelError('refused', reader.error ?? 'The response has no text', true);
  return { text: reader.text, usage: reader.usage };
}

function refusal({ status, body }: GuardedResponse): ModelError {
  const message = `The API responded with status ${status}: ${body.toString('utf8').slice(0, EXCERPT)}`;
  return new ModelError(status === 429 ? 'busy' : status >= 500 ? 'unreachable' : 'refused', message, false);
}

/** Reads server-sent events, or one object from an API that does not stream. */
class ResponseReader {
  text = '';
  usage: ModelOutput['usage'] = null;
  error: string | null = null;
  private waiting = '';
  private readonly decoder = new TextDecoder();
  private readonly onText: (text: string) => void;

  constructor(onText: (text: string) => void) {
    this.onText = onText;
  }

  push(part: Uint8Array): void {
    this.waiting += this.decoder.decode(part, { stream: true });
    const lines = this.waiting.split('\n');
    this.waiting = lines.pop()!;
    for (const line of lines) this.readLine(line.trim());
  }

  end({ headers, body }: Pick<GuardedResponse, 'headers' | 'body'>): void {
    if (String(headers['content-type'] ?? '').includes('application/json') && this.text === '')
      this.readObject(body.toString('utf8'));
    else this.readLine(this.waiting.trim());
  }

  private readLine(line: string): void {
    if (line.startsWith('data:')) this.readObject(line.slice(5).trim());
  }

  private readObject(json: string): void {
    if (json === '' || json === '[DONE]') return;
    let value: ModelChunk;
    try {
      value = JSON.parse(json) as ModelChunk;
    } catch {
      this.error = 'The response is not valid';
      return;
    }
    if (value?.error) this.error = String(value.error.message ?? 'The model reported an error').slice(0, EXCERPT);
    const [choice] = value?.choices ?? [];
    const content = choice?.delta?.content ?? choice?.message?.content;
    if (typeof content === 'string' && content !== '') this.add(content);
    const { prompt_tokens, completion_tokens } = value?.usage ?? {};
    if (isCount(prompt_tokens) && isCount(completion_tokens))
      this.usage = { input: prompt_tokens, output: completion_tokens };
  }

  private add(content: string): void {
    // A NUL cannot be stored, and half a surrogate pair cannot be sent.
    const text = content
      .replaceAll('\0', '')
      .toWellFormed()
      .slice(0, MAX_RESPONSE - this.text.length);
    if (text === '') return;
    this.text += text;
    this.onText(text);
  }
}

interface ModelChunk {
  choices?: { delta?: { content?: unknown }; message?: { content?: unknown } }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
  error?: { message?: unknown };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 10_000_000;
