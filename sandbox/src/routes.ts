// The HTTP API: everything the page does, and what tests ask for as ground truth. A line or two per route; what is refused is
// refused in problem.ts and carrier.ts.
import type { FastifyInstance } from 'fastify';
import type { Authenticators } from './authenticator.ts';
import { usualCarrier } from './carrier.ts';
import type { Chat } from './chat.ts';
import { contentText } from './content.ts';
import type { Google } from './google.ts';
import type { Live } from './live.ts';
import { magicMailboxes, magicNumbers } from './magic.ts';
import type { Mailbox } from './mailbox.ts';
import type { Submission } from './message.ts';
import { phoneRoutes } from './phone_routes.ts';
import { type Input, inputNumber, inputObject, inputString, queryNumber, queryString } from './problem.ts';
import type { Smsc } from './smsc.ts';
import { stats } from './stats.ts';
import { viberMagicNumbers } from './viber/magic.ts';
import { viberRoutes } from './viber/routes.ts';
import type { Viber } from './viber/viber.ts';
import { messageJson, submissionJson } from './view.ts';
import { graphRoutes } from './whatsapp/graph.ts';
import { templateWords, whatsappMagic } from './whatsapp/magic.ts';
import { whatsappRoutes } from './whatsapp/routes.ts';
import type { Whatsapp } from './whatsapp/whatsapp.ts';
import type { World } from './world.ts';

export interface Parts {
  world: World;
  smsc: Smsc;
  mailbox: Mailbox;
  live: Live;
  google: Google;
  authenticators: Authenticators;
  viber: Viber;
  whatsapp: Whatsapp;
  ports: { smpp: number; smpp_tls: number; smtp: number };
}

type Id = { Params: { id: string } };
type Label = { Params: { label: string } };
type Query = { Querystring: Input };

const pageSize = { min: 1, max: 500 };
const wholeNumber = { min: 0, max: Number.MAX_SAFE_INTEGER };

export function addRoutes(api: FastifyInstance, parts: Parts): void {
  phoneRoutes(api, parts);
  mailRoutes(api, parts);
  authenticatorRoutes(api, parts);
  carrierRoutes(api, parts);
  viberRoutes(api, parts.viber);
  whatsappRoutes(api, parts.whatsapp);
  graphRoutes(api, parts.whatsapp);
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
    whatsapp: whatsappMagic.map(({ ending, title, what }) => ({ ending, title, what })),
    template_words: templateWords.map(({ word, what }) => ({ word, what })),
    viber: viberMagicNumbers.map(({ ending, title, what }) => ({ ending, title, what })),
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

  api.get<Query>('/api/chats', ({ query }) => {
    const phone = queryString(query, 'phone').replace(/^\+/, '');
    const [channel, text] = [queryString(query, 'channel'), queryString(query, 'text')];
    const limit = queryNumber(query, 'limit', 1000, { min: 1, max: 10_000 });
    const found: Chat[] = [];
    for (const chat of world.messages.kept.after(queryNumber(query, 'since', 0, wholeNumber))) {
      if (chat.kind !== 'chat' || (channel && chat.channel !== channel) || (phone && chat.phone !== phone)) continue;
      if (text && !contentText(chat.content).includes(text)) continue;
      found.push(chat);
      if (found.length === limit) break;
    }
    return { chats: found.map(messageJson), next: found.length === limit ? found.at(-1)!.seq : null };
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
