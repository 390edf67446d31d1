/**
 * Simulates the SMS providers. A request becomes a submission in the world, as over SMPP, and the outbox delivers its
 * receipts, and the replies of phones, to the callback URL. After a restart of the sandbox, callbacks of earlier
 * messages go to the last URL of their provider, without the reference.
 */
import { STATUS } from '@parley/smpp/pdu.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Poster } from '../http/poster.ts';
import { countParts } from '../smsc/wire.ts';
import { Throttle } from '../world/carrier.ts';
import { type Sms, type Submission, toOutcome } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { android } from './android.ts';
import { generic } from './generic.ts';
import { infobip } from './infobip.ts';
import { plivo } from './plivo.ts';
import type { AccountCall, Refusal, SmsProvider, SmsRequest } from './provider.ts';
import { sinch } from './sinch.ts';
import { telnyx } from './telnyx.ts';
import { twilio } from './twilio.ts';
import { vonage } from './vonage.ts';

export const PROVIDERS: readonly SmsProvider[] = [twilio, vonage, telnyx, plivo, infobip, sinch, android, generic];

const MAX_KEPT = 50_000;
const REFUSALS: Readonly<Record<number, Refusal>> = {
  [STATUS.ESME_RTHROTTLED]: 'throttled',
  [STATUS.ESME_RMSGQFUL]: 'throttled',
  [STATUS.ESME_RINVDSTADR]: 'number',
  [STATUS.ESME_RINVSRCADR]: 'sender',
  [STATUS.ESME_RSYSERR]: 'busy',
};

export class Providers {
  private readonly world: World;
  private readonly poster = new Poster();
  private readonly throttle = new Throttle();
  private readonly requests = new Map<number, Pick<SmsRequest, 'callback_url' | 'reference' | 'key'>>();
  private readonly keys = new Set<string>();

  constructor(world: World) {
    this.world = world;
    for (const provider of PROVIDERS)
      world.outbox.addReceiver({
        system_id: provider.name,
        in_flight: 0,
        owned_only: true,
        deliver: (message, n) => this.deliver(provider, message, n),
      });
  }

  close(): void {
    this.poster.close();
  }

  /** Null stands for a response that never arrives. */
  async send(provider: SmsProvider, request: SmsRequest) {
    const { world } = this;
    const from = request.from.replace(/^\+(?=\d)/, '');
    const to = request.to.replace(/^\+/, '');
    if (request.text === '') return provider.refuse('invalid');
    if (!/^\d{3,15}$/.test(to)) return provider.refuse('number');
    if (from === '') return provider.refuse('sender');
    if (!this.throttle.take(provider.name, world.carrier.throttle_per_second, Date.now()))
      return provider.refuse('throttled');
    if (provider.repeat && request.key && this.keys.has(request.key)) return provider.repeat();
    const plan = world.planSubmit(to, request.text);
    if (plan.lost) return null;
    if (plan.refuse !== STATUS.ESME_ROK) {
      world.countRefusal(plan.refuse);
      return provider.refuse(REFUSALS[plan.refuse] ?? 'rejected');
    }
    const submission = await world.submit(toDraft(provider, from, to, request.text), plan);
    this.remember(provider, submission, request);
    const id = this.findId(provider, submission.seq);
    return plan.responds ? provider.accept(id, request, countParts(request.text)) : null;
  }

  private remember(provider: SmsProvider, { seq }: Submission, { callback_url, reference, key }: SmsRequest): void {
    if (callback_url === '' && !key) return;
    this.requests.set(seq, { callback_url, reference, ...(key ? { key } : {}) });
    if (key) this.keys.add(key);
    if (this.requests.size > MAX_KEPT) this.requests.delete(this.requests.keys().next().value!);
    if (callback_url !== '') this.setUrl(provider, withoutReference(callback_url));
  }

  private findId(provider: SmsProvider, seq: number): string {
    return this.requests.get(seq)?.key ?? toId(provider, seq);
  }

  private setUrl(provider: SmsProvider, url: string): void {
    if (this.getUrl(provider) !== url) this.world.facts.put(factKey(provider), url);
  }

  private getUrl(provider: SmsProvider): string {
    return this.world.facts.get<string>(factKey(provider)) ?? '';
  }

  answer(provider: SmsProvider, call: AccountCall, fields: Record<string, unknown>, query: Record<string, unknown>) {
    return call.answer({
      ...{ fields, query, url: this.getUrl(provider) },
      setUrl: (url) => this.setUrl(provider, url),
      sent: (number) =>
        [...this.world.messages.kept.after(0)].flatMap((message) =>
          message.kind === 'submission' &&
          message.system_id === provider.name &&
          (number === '' || message.to === number.replace(/^\+/, ''))
            ? [toSent(message, this.findId(provider, message.seq), this.requests.get(message.seq)?.reference ?? '')]
            : [],
        ),
    });
  }

  private async deliver(provider: SmsProvider, message: Sms, n: number): Promise<number> {
    const request = message.kind === 'submission' ? this.requests.get(message.seq) : undefined;
    const url = request?.callback_url || this.getUrl(provider);
    if (url === '') return STATUS.ESME_RSYSERR;
    const { seq, from, to } = message;
    const id = this.findId(provider, seq);
    const post =
      message.kind === 'reply'
        ? provider.inbound({ id, from, to, text: message.text, time: message.time }, url)
        : provider.receipt(
            {
              ...{ id, from, to, time: message.settled || message.time, reference: request?.reference ?? '' },
              state: toState(message.receipts[n]!),
            },
            url,
          );
    const status = await this.poster.post(url, post.headers, post.body);
    return status >= 200 && status < 300 ? STATUS.ESME_ROK : STATUS.ESME_RSYSERR;
  }
}

const factKey = ({ name }: SmsProvider): string => `providers/${name}/callback_url`;
const toId = ({ name }: SmsProvider, seq: number): string => `${name.slice(0, 2).toUpperCase()}${seq.toString(16)}`;

function toState(message_state: number) {
  const outcome = toOutcome(message_state);
  return outcome === 'waiting' ? 'sent' : outcome;
}

const toSent = ({ from, to, text, time }: Submission, id: string, reference: string) => ({
  ...{ id, from, to, text, time, reference },
});

/** The secret stays in the URL; the reference belongs to one message. */
function withoutReference(callback_url: string): string {
  const url = new URL(callback_url);
  url.searchParams.delete('reference');
  return url.href;
}

const toDraft = ({ name }: SmsProvider, from: string, to: string, text: string) => ({
  ...{ system_id: name, sequence_number: 0, from, to, text, data_coding: 0, part: 1, parts: 1, part_ref: 0 },
  ...{ reference: null, registered_delivery: 1, expires: 0 },
});

/** The APIs of the providers, and the settings that connect to them. */
export function providerRoutes(api: FastifyInstance, providers: Providers): void {
  api.get('/api/providers', () => ({
    providers: PROVIDERS.map(({ name, base, settings }) => ({ name, base_path: `/providers${base}`, settings })),
  }));
  api.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    for (const provider of PROVIDERS) {
      scope.post(`/providers${provider.path}`, (request, reply) => respond(providers, provider, request, reply));
      for (const call of provider.calls ?? [])
        scope.route({
          method: call.method,
          url: `/providers${call.path}`,
          handler: ({ headers, body, query }, reply) => {
            const [fields, parameters] = [toFields(body), toFields(query)];
            const { status, body: answer } = provider.isAllowed(headers, { ...parameters, ...fields })
              ? providers.answer(provider, call, fields, parameters)
              : provider.refuse('credentials');
            return reply.code(status).send(answer);
          },
        });
    }
  });
}

const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

async function respond(
  providers: Providers,
  provider: SmsProvider,
  { headers, body }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const fields = toFields(body);
  const response = provider.isAllowed(headers, fields)
    ? await providers.send(provider, provider.read(fields))
    : provider.refuse('credentials');
  if (response) return reply.code(response.status).send(response.body);
  // The request is lost: the connection breaks without a response.
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
