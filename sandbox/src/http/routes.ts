/**
 * The HTTP API: every action on the page, and the data that tests check. Each route takes a line or two; `problem.ts`
 * and the settings modules validate the input.
 */
import type { FastifyInstance } from 'fastify';
import { assistanceRoutes } from '../assistance/routes.ts';
import { hubspotRoutes } from '../hubspot/routes.ts';
import { lookupRoutes } from '../lookups/routes.ts';
import { pipedriveRoutes } from '../pipedrive/routes.ts';
import { type Input, inputNumber, inputObject, inputString, queryNumber, queryString } from '../problem.ts';
import { providerRoutes } from '../providers/providers.ts';
import { pushRoutes } from '../push/routes.ts';
import { stripeRoutes } from '../stripe/routes.ts';
import { viberMagicNumbers } from '../viber/magic.ts';
import { viberRoutes } from '../viber/routes.ts';
import { viesRoutes } from '../vies/routes.ts';
import { graphRoutes } from '../whatsapp/graph/graph.ts';
import { templateWords, whatsappMagicNumbers } from '../whatsapp/magic.ts';
import { whatsappRoutes } from '../whatsapp/routes.ts';
import { defaultCarrier } from '../world/carrier.ts';
import type { Chat } from '../world/chat.ts';
import { contentText } from '../world/content.ts';
import { magicMailboxes, magicNumbers } from '../world/magic.ts';
import type { Submission } from '../world/message.ts';
import { messageJson, submissionJson } from '../world/view.ts';
import type { Parts } from './parts.ts';
import { phoneRoutes } from './phone_routes.ts';
import { stats } from './stats.ts';

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
  stripeRoutes(api, parts.stripe);
  assistanceRoutes(api);
  lookupRoutes(api);
  viesRoutes(api);
  providerRoutes(api, parts.providers);
  pipedriveRoutes(api, parts.pipedrive);
  hubspotRoutes(api, parts.hubspot);
  pushRoutes(api, parts.push);
}

function mailRoutes(api: FastifyInstance, { mailbox }: Parts): void {
  api.get<Query>('/api/mail', ({ query }) =>
    mailbox.list(queryString(query, 'to'), queryNumber(query, 'limit', 50, pageSize), queryString(query, 'before')),
  );
  api.get<Id>('/api/mail/:id', ({ params }) => mailbox.detail(params.id));
  api.get<Id>('/api/mail/:id/raw', ({ params }, response) =>
    response.type('text/plain; charset=utf-8').send(mailbox.raw(params.id)),
  );
  api.get<Id>('/api/mail/:id/html', async ({ params }, response) =>
    response
      .header(
        'content-security-policy',
        'sandbox allow-popups allow-popups-to-escape-sandbox; ' +
          "default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:",
      )
      .type('text/html; charset=utf-8')
      .send(`<base target="_blank">${await mailbox.html(params.id)}`),
  );
  api.get<{ Params: { id: string; index: string } }>(
    '/api/mail/:id/attachments/:index',
    async ({ params }, response) => {
      const { filename, content } = await mailbox.attachment(params.id, Number(params.index));
      // Attachments are always downloaded, because they may contain scripts.
      return response
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`)
        .type('application/octet-stream')
        .send(content);
    },
  );
  api.delete('/api/mail', (_request, response) => {
    mailbox.clear();
    return response.status(204).send();
  });
}

function authenticatorRoutes(api: FastifyInstance, { authenticators }: Parts): void {
  const readLabel = (params: Label['Params']) => inputString({ ...params }, 'label', { min: 1, max: 200 });

  api.get('/api/authenticators', () => ({ authenticators: authenticators.list() }));
  api.get<Label>('/api/authenticators/:label', ({ params }) => authenticators.get(readLabel(params)));
  api.put<Label>('/api/authenticators/:label', ({ params, body }) =>
    authenticators.put(readLabel(params), inputString(inputObject(body, ['secret']), 'secret', { min: 1, max: 300 })),
  );
  api.delete<Label>('/api/authenticators/:label', ({ params }, response) => {
    authenticators.remove(readLabel(params));
    return response.status(204).send();
  });
}

function carrierRoutes(api: FastifyInstance, parts: Parts): void {
  const { world, smsc, mailbox, live, ports } = parts;

  api.get('/api/carrier', () => world.carrier);
  api.get('/api/carrier/usual', () => defaultCarrier());
  api.put('/api/carrier', ({ body }) => world.setCarrier(body));
  api.post('/api/carrier/cut', ({ body }) => {
    const input = inputObject(body, ['for_ms']);
    return smsc.disconnectAll(
      input.for_ms === undefined ? 0 : inputNumber(input, 'for_ms', { min: 0, max: 3_600_000 }),
    );
  });
  api.get('/api/carrier/certificate', (_request, response) =>
    response.type('application/x-pem-file').send(smsc.certificate),
  );
  api.get('/api/ports', () => ports);
  api.get('/api/magic', () => ({
    numbers: magicNumbers.map(({ ending, title, what }) => ({ ending, title, what })),
    whatsapp: whatsappMagicNumbers.map(({ ending, title, what }) => ({ ending, title, what })),
    template_words: templateWords.map(({ word, what }) => ({ word, what })),
    viber: viberMagicNumbers.map(({ ending, title, what }) => ({ ending, title, what })),
    mailboxes: magicMailboxes,
  }));
  api.get('/api/stats', () => stats(parts));

  api.get<Query>('/api/submissions', ({ query }) => {
    const to = queryString(query, 'to').replace(/^\+/, '');
    const text = queryString(query, 'text');
    const limit = queryNumber(query, 'limit', 1000, { min: 1, max: 10_000 });
    const submissions: Submission[] = [];
    for (const message of world.messages.kept.after(queryNumber(query, 'since', 0, wholeNumber))) {
      if (message.kind !== 'submission' || (to && message.to !== to) || !message.text.includes(text)) continue;
      submissions.push(message);
      if (submissions.length === limit) break;
    }
    const next = submissions.length === limit ? submissions.at(-1)!.seq : null;
    return { submissions: submissions.map(submissionJson), next };
  });

  api.get<Query>('/api/chats', ({ query }) => {
    const phone = queryString(query, 'phone').replace(/^\+/, '');
    const [channel, text] = [queryString(query, 'channel'), queryString(query, 'text')];
    const limit = queryNumber(query, 'limit', 1000, { min: 1, max: 10_000 });
    const chats: Chat[] = [];
    for (const chat of world.messages.kept.after(queryNumber(query, 'since', 0, wholeNumber))) {
      if (chat.kind !== 'chat' || (channel && chat.channel !== channel) || (phone && chat.phone !== phone)) continue;
      if (text && !contentText(chat.content).includes(text)) continue;
      chats.push(chat);
      if (chats.length === limit) break;
    }
    return { chats: chats.map(messageJson), next: chats.length === limit ? chats.at(-1)!.seq : null };
  });

  api.get('/api/live', (_request, response) => {
    response.hijack();
    live.add(response.raw);
  });
  api.post('/api/reset', (_request, response) => {
    world.reset();
    mailbox.clear();
    return response.status(204).send();
  });
}
