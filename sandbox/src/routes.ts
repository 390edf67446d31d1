// The HTTP API: everything the page does, and what tests ask for as ground truth. A line or two per route; what is refused is
// refused in problem.ts and carrier.ts.
import type { FastifyInstance } from 'fastify';
import type { Authenticators } from './authenticator.ts';
import { usualCarrier } from './carrier.ts';
import type { Google } from './google.ts';
import type { Live } from './live.ts';
import { magicMailboxes, magicNumbers } from './magic.ts';
import type { Mailbox } from './mailbox.ts';
import { longestReply, type Submission } from './message.ts';
import { Phone, phoneStates } from './phones.ts';
import {
  type Input,
  inputChoice,
  inputNumber,
  inputObject,
  inputString,
  invalid,
  Problem,
  phoneDigits,
  queryNumber,
  queryString,
} from './problem.ts';
import type { Smsc } from './smsc.ts';
import { stats } from './stats.ts';
import { messageJson, phoneJson, submissionJson } from './view.ts';
import type { World } from './world.ts';

export interface Parts {
  world: World;
  smsc: Smsc;
  mailbox: Mailbox;
  live: Live;
  google: Google;
  authenticators: Authenticators;
  ports: { smpp: number; smpp_tls: number; smtp: number };
}

type Digits = { Params: { digits: string } };
type Id = { Params: { id: string } };
type Label = { Params: { label: string } };
type Query = { Querystring: Input };

const forever = Number.MAX_SAFE_INTEGER;
const pageSize = { min: 1, max: 500 };
const wholeNumber = { min: 0, max: forever };

export function addRoutes(api: FastifyInstance, parts: Parts): void {
  phoneRoutes(api, parts);
  mailRoutes(api, parts);
  authenticatorRoutes(api, parts);
  carrierRoutes(api, parts);
}

function phoneRoutes(api: FastifyInstance, { world }: Parts): void {
  const { phones } = world.messages;

  api.get<Query>('/api/phones', ({ query }) => {
    const search = queryString(query, 'search').replace(/\D/g, '');
    const after = queryNumber(query, 'after', forever, wholeNumber);
    const found = phones.list(search, queryNumber(query, 'limit', 50, pageSize), after);
    return { phones: found.phones.map(phoneJson), next: found.next, total: phones.size };
  });

  api.put<Digits>('/api/phones/:digits', ({ params, body }) => {
    const digits = phoneDigits(params.digits);
    const input = inputObject(body, ['state']);
    const state = input.state === undefined ? phones.stateOf(digits) : inputChoice(input, 'state', phoneStates);
    return phoneJson(world.setPhone(digits, state));
  });

  api.get<Digits & Query>('/api/phones/:digits/messages', ({ params, query }) => {
    const digits = phoneDigits(params.digits);
    const phone = phones.get(digits) ?? new Phone(digits);
    const limit = queryNumber(query, 'limit', 50, pageSize);
    const older = phone.thread.before(queryNumber(query, 'before', forever, wholeNumber));
    const messages = [...older.take(limit)].map(messageJson).reverse();
    const oldest = phone.thread.oldest;
    const more = messages.length > 0 && oldest && Number(messages[0]!.id) > oldest.seq;
    return { phone: phoneJson(phone), senders: sendersOf(phone), messages, next: more ? messages[0]!.id : null };
  });

  api.post<Digits>('/api/phones/:digits/messages', async ({ params, body }, answer) => {
    const digits = phoneDigits(params.digits);
    const input = inputObject(body, ['channel', 'to', 'text']);
    if (input.channel !== undefined) inputChoice(input, 'channel', ['SMS']);
    const to = businessAddress(inputString(input, 'to', { min: 1, max: 21 }));
    const text = inputString(input, 'text', { min: 1, max: longestReply });
    const state = phones.stateOf(digits);
    if (state === 'off' || state === 'out_of_reach') {
      throw new Problem(409, 'phone_cannot_send', `a phone that is ${state.replaceAll('_', ' ')} cannot send`);
    }
    answer.status(201);
    return messageJson(await world.reply(digits, to, text));
  });
}

function mailRoutes(api: FastifyInstance, { mailbox }: Parts): void {
  api.get<Query>('/api/mail', ({ query }) =>
    mailbox.list(queryString(query, 'to'), queryNumber(query, 'limit', 50, pageSize), queryString(query, 'before')),
  );
  api.get<Id>('/api/mail/:id', ({ params }) => mailbox.detail(params.id));
  api.get<Id>('/api/mail/:id/raw', ({ params }, answer) =>
    answer.type('text/plain; charset=utf-8').send(mailbox.raw(params.id)),
  );
  api.get<Id>('/api/mail/:id/html', async ({ params }, answer) =>
    answer
      .header(
        'content-security-policy',
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:",
      )
      .type('text/html; charset=utf-8')
      .send(`<base target="_blank">${await mailbox.html(params.id)}`),
  );
  api.get<{ Params: { id: string; index: string } }>('/api/mail/:id/attachments/:index', async ({ params }, answer) => {
    const { filename, content } = await mailbox.attachment(params.id, Number(params.index));
    // Never shown by the browser: an attachment may be a page with a script in it.
    return answer
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`)
      .type('application/octet-stream')
      .send(content);
  });
  api.delete('/api/mail', (_request, answer) => {
    mailbox.clear();
    return answer.status(204).send();
  });
}

function authenticatorRoutes(api: FastifyInstance, { authenticators }: Parts): void {
  const labelOf = (params: Label['Params']) => inputString({ ...params }, 'label', { min: 1, max: 200 });

  api.get('/api/authenticators', () => ({ authenticators: authenticators.list() }));
  api.get<Label>('/api/authenticators/:label', ({ params }) => authenticators.get(labelOf(params)));
  api.put<Label>('/api/authenticators/:label', ({ params, body }) =>
    authenticators.put(labelOf(params), inputString(inputObject(body, ['secret']), 'secret', { min: 1, max: 300 })),
  );
  api.delete<Label>('/api/authenticators/:label', ({ params }, answer) => {
    authenticators.remove(labelOf(params));
    return answer.status(204).send();
  });
}

function carrierRoutes(api: FastifyInstance, parts: Parts): void {
  const { world, smsc, mailbox, live, ports } = parts;

  api.get('/api/carrier', () => world.carrier);
  api.get('/api/carrier/usual', () => usualCarrier());
  api.put('/api/carrier', ({ body }) => world.setCarrier(body));
  api.post('/api/carrier/cut', ({ body }) => {
    const input = inputObject(body, ['for_ms']);
    return smsc.cut(input.for_ms === undefined ? 0 : inputNumber(input, 'for_ms', { min: 0, max: 3_600_000 }));
  });
  api.get('/api/carrier/certificate', (_request, answer) =>
    answer.type('application/x-pem-file').send(smsc.certificate),
  );
  api.get('/api/ports', () => ports);
  api.get('/api/magic', () => ({
    numbers: magicNumbers.map(({ ending, title, what }) => ({ ending, title, what })),
    mailboxes: magicMailboxes,
  }));
  api.get('/api/stats', () => stats(parts));

  api.get<Query>('/api/submissions', ({ query }) => {
    const to = queryString(query, 'to').replace(/^\+/, '');
    const text = queryString(query, 'text');
    const limit = queryNumber(query, 'limit', 1000, { min: 1, max: 10_000 });
    const found: Submission[] = [];
    for (const message of world.messages.kept.after(queryNumber(query, 'since', 0, wholeNumber))) {
      if (message.kind !== 'submission' || (to && message.to !== to) || !message.text.includes(text)) continue;
      found.push(message);
      if (found.length === limit) break;
    }
    return { submissions: found.map(submissionJson), next: found.length === limit ? found.at(-1)!.seq : null };
  });

  api.get('/api/live', (_request, answer) => {
    answer.hijack();
    live.add(answer.raw);
  });
  api.post('/api/reset', (_request, answer) => {
    world.reset();
    mailbox.clear();
    return answer.status(204).send();
  });
}

/** Newest first: whom a phone can answer. */
function sendersOf(phone: Phone): string[] {
  const senders = new Set<string>();
  for (const item of phone.thread.before(forever).take(1000)) {
    const first = item.kind === 'long' ? item.parts[0]! : item;
    senders.add(first.kind === 'reply' ? first.to : first.from);
    if (senders.size === 20) break;
  }
  return [...senders];
}

function businessAddress(text: string): string {
  const digits = text.replace(/^\+/, '').replace(/[\s().-]/g, '');
  if (/^\d{3,20}$/.test(digits)) return digits;
  if (/^[A-Za-z0-9 _.&+'-]{1,11}$/.test(text.trim())) return text.trim();
  throw invalid('to', 'must be a number of 3 to 20 digits or a sender name of up to 11 letters and digits');
}
