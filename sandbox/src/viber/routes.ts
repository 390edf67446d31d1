// Viber's doors on the HTTP port: the partner API as the real one has it, the links of what phones show, and the sandbox's own API for
// services, settings and what was sent.
import type { FastifyInstance } from 'fastify';
import { type Chat, chatPending, chatStatus } from '../chat.ts';
import { contentText } from '../content.ts';
import { type Input, notFound, phoneDigits, queryNumber, queryString } from '../problem.ts';
import { usualMoods } from './moods.ts';
import { bare, sessionIdOf } from './numbers.ts';
import type { Business } from './request.ts';
import { sessionJson } from './sessions.ts';
import { status, wordsOf } from './statuses.ts';
import { namesIn, type Template } from './templates.ts';
import { extraOf, type Viber } from './viber.ts';

type Query = { Querystring: Input };

/** What may be shown by the browser; anything else is only ever downloaded. */
const shown = /^(image\/(png|jpeg|webp|gif|bmp)|video\/(mp4|3gpp|quicktime)|application\/pdf|text\/plain)$/;
const longestRequest = 256 * 1024;
const forever = Number.MAX_SAFE_INTEGER;

export function viberRoutes(api: FastifyInstance, viber: Viber): void {
  partnerRoutes(api, viber);
  mediaRoutes(api, viber);

  api.get('/api/viber/services', () => ({ services: viber.businesses.list().map((one) => businessJson(viber, one)) }));
  api.post('/api/viber/services', ({ body }, answer) => {
    const made = viber.businesses.make(body);
    viber.changed();
    answer.status(201);
    return businessJson(viber, made);
  });
  api.put<{ Params: { id: string } }>('/api/viber/services/:id', ({ params, body }) => {
    const changed = viber.businesses.change(params.id, body);
    viber.changed();
    return businessJson(viber, changed);
  });

  api.get('/api/viber/templates', () => ({ templates: viber.templates.list().map(templateJson) }));
  api.post('/api/viber/templates', ({ body }, answer) => {
    const made = viber.templates.make(body);
    viber.changed();
    answer.status(201);
    return templateJson(made);
  });
  api.delete<{ Params: { id: string } }>('/api/viber/templates/:id', ({ params }, answer) => {
    viber.templates.remove(params.id);
    viber.changed();
    return answer.status(204).send();
  });

  api.get('/api/viber/settings', () => viber.moods);
  api.get('/api/viber/settings/usual', () => usualMoods());
  api.put('/api/viber/settings', ({ body }) => viber.setMoods(body));

  api.get<Query>('/api/viber/sessions', ({ query }) => {
    const phone = query.phone === undefined ? '' : phoneDigits(queryString(query, 'phone'));
    const found = [...viber.sessions.all()].filter((session) => phone === '' || session.phone === phone);
    return { sessions: found.slice(-1000).map((session) => sessionJson(session, Date.now(), viber.moods)) };
  });

  api.get('/api/viber/stats', () => {
    const { to_phone, from_phone } = viber.world.messages.chats.VIBER;
    const { sent, acknowledged, wrong_accepted } = viber.courier;
    return {
      accepted: to_phone,
      from_phone,
      callbacks: { sent, acknowledged, pending: viber.pending, wrong_signature_accepted: wrong_accepted },
      refused: Object.fromEntries(viber.sending.refused),
      lately: viber.sending.lately.map((one) => ({ ...one, words: wordsOf(one.status) })),
    };
  });

  api.get<Query>('/api/viber/messages', ({ query }) => {
    const to = queryString(query, 'to').replace(/^\+/, '');
    const service_id = queryString(query, 'service_id');
    const text = queryString(query, 'text');
    const limit = queryNumber(query, 'limit', 1000, { min: 1, max: 10_000 });
    const since = queryNumber(query, 'since', 0, { min: 0, max: forever });
    const found: Chat[] = [];
    for (const message of viber.world.messages.kept.after(since)) {
      if (message.kind !== 'chat' || message.channel !== 'VIBER' || message.direction !== 'to_phone') continue;
      if ((to && message.phone !== to) || (service_id && message.business_id !== service_id)) continue;
      if (!contentText(message.content).includes(text)) continue;
      found.push(message);
      if (found.length === limit) break;
    }
    return { messages: found.map(messageJson), next: found.length === limit ? found.at(-1)!.seq : null };
  });
}

/** HTTP 200 whatever happens, also for a body that is no JSON: the status is in the answer. */
function partnerRoutes(api: FastifyInstance, viber: Viber): void {
  api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: longestRequest }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error: Error & { statusCode?: number }, _request, answer) => {
      if (error.statusCode !== 413) throw error;
      return answer.send({ status: status.bad_data, seq: 0 });
    });
    scope.post('/viber/vibersrvc/1/send_message', async (request, answer) => {
      const { body, after_ms } = await viber.sending.send(String(request.body ?? ''));
      if (after_ms > 0) await new Promise((resolve) => setTimeout(resolve, after_ms));
      if (body !== null) return answer.type('application/json; charset=utf-8').send(body);
      answer.hijack();
      request.raw.socket.destroy();
      return answer;
    });
  });
}

/** What was sent by link is fetched when a phone shows it; what a phone sent is a file of this sandbox. */
function mediaRoutes(api: FastifyInstance, viber: Viber): void {
  api.get<{ Params: { token: string; name: string } }>('/viber/media/:token/:name', async ({ params }, answer) => {
    const chat = viber.mediaOf(params.token);
    const media = chat?.content.media;
    if (!chat || !media) throw notFound('this file');
    const { bytes, mime } = await viber.links.fetch(extraOf(chat).link ?? media.url);
    const disposition = shown.test(mime) ? 'inline' : 'attachment';
    return answer
      .header('content-disposition', `${disposition}; filename*=UTF-8''${encodeURIComponent(params.name)}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=3600')
      .type(chat.direction === 'from_phone' || shown.test(mime) ? mime : 'application/octet-stream')
      .send(bytes);
  });
}

const templateJson = (template: Template) => ({ ...template, params: namesIn(template.text) });

const businessJson = (viber: Viber, business: Business) => ({
  ...business,
  last_callback: viber.courier.lastAnswer(business.service_id),
});

function messageJson(chat: Chat) {
  const { type, label, tag, seq, ttl_seconds, session } = extraOf(chat);
  return {
    id: chat.seq,
    message_token: chat.id,
    service_id: Number(chat.business_id),
    to: chat.phone,
    type,
    label,
    tag,
    seq: typeof seq === 'string' ? bare(seq) : seq,
    ttl_seconds,
    tracking_data: chat.reference ?? '',
    session_id: session === undefined ? null : sessionIdOf(session),
    time: new Date(chat.time).toISOString(),
    status: chatStatus(chat),
    pending: chatPending(chat),
    pressed: chat.pressed,
    content: chat.content,
  };
}
