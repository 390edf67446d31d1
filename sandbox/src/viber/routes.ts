/**
 * The Viber routes: the partner API, the media that phones show, and the sandbox's own API for services, templates,
 * settings, and messages.
 */
import type { FastifyInstance } from 'fastify';
import { type Input, notFound, phoneDigits, queryNumber, queryString } from '../problem.ts';
import { type Chat, chatPending, chatStatus } from '../world/chat.ts';
import { contentText } from '../world/content.ts';
import { viberExtra } from './extra.ts';
import { bareNumber, toSessionId } from './numbers.ts';
import type { Business } from './request.ts';
import { sessionJson } from './sessions.ts';
import { defaultViberSettings } from './settings.ts';
import { status, statusText } from './statuses.ts';
import { placeholders, type Template } from './templates.ts';
import type { Viber } from './viber.ts';

type Query = { Querystring: Input };

/** The file types that a browser may display. All other files are downloaded. */
const displayable = /^(image\/(png|jpeg|webp|gif|bmp)|video\/(mp4|3gpp|quicktime)|application\/pdf|text\/plain)$/;
const maxRequestBytes = 256 * 1024;
const maxSeq = Number.MAX_SAFE_INTEGER;

export function viberRoutes(api: FastifyInstance, viber: Viber): void {
  partnerRoutes(api, viber);
  mediaRoutes(api, viber);

  api.get('/api/viber/services', () => ({
    services: viber.businesses.list().map((business) => businessJson(viber, business)),
  }));
  api.post('/api/viber/services', ({ body }, response) => {
    const created = viber.businesses.create(body);
    viber.publishChange();
    response.status(201);
    return businessJson(viber, created);
  });
  api.put<{ Params: { id: string } }>('/api/viber/services/:id', ({ params, body }) => {
    const updated = viber.businesses.update(params.id, body);
    viber.publishChange();
    return businessJson(viber, updated);
  });

  api.get('/api/viber/templates', () => ({ templates: viber.templates.list().map(templateJson) }));
  api.post('/api/viber/templates', ({ body }, response) => {
    const created = viber.templates.create(body);
    viber.publishChange();
    response.status(201);
    return templateJson(created);
  });
  api.delete<{ Params: { id: string } }>('/api/viber/templates/:id', ({ params }, response) => {
    viber.templates.remove(params.id);
    viber.publishChange();
    return response.status(204).send();
  });

  api.get('/api/viber/settings', () => viber.settings);
  api.get('/api/viber/settings/usual', () => defaultViberSettings());
  api.put('/api/viber/settings', ({ body }) => viber.changeSettings(body));

  api.get<Query>('/api/viber/sessions', ({ query }) => {
    const phone = query.phone === undefined ? '' : phoneDigits(queryString(query, 'phone'));
    const sessions = [...viber.sessions.all()].filter((session) => phone === '' || session.phone === phone);
    return { sessions: sessions.slice(-1000).map((session) => sessionJson(session, Date.now(), viber.settings)) };
  });

  api.get('/api/viber/stats', () => {
    const { to_phone, from_phone } = viber.world.messages.chats.VIBER;
    const { sent, acknowledged, wrong_accepted } = viber.callbacks;
    return {
      accepted: to_phone,
      from_phone,
      callbacks: { sent, acknowledged, pending: viber.pending, wrong_signature_accepted: wrong_accepted },
      refused: Object.fromEntries(viber.sending.refused),
      lately: viber.sending.recentRefusals.map((refusal) => ({ ...refusal, words: statusText(refusal.status) })),
    };
  });

  api.get<Query>('/api/viber/messages', ({ query }) => {
    const to = queryString(query, 'to').replace(/^\+/, '');
    const service_id = queryString(query, 'service_id');
    const text = queryString(query, 'text');
    const limit = queryNumber(query, 'limit', 1000, { min: 1, max: 10_000 });
    const since = queryNumber(query, 'since', 0, { min: 0, max: maxSeq });
    const messages: Chat[] = [];
    for (const message of viber.world.messages.kept.after(since)) {
      if (message.kind !== 'chat' || message.channel !== 'VIBER' || message.direction !== 'to_phone') continue;
      if ((to && message.phone !== to) || (service_id && message.business_id !== service_id)) continue;
      if (!contentText(message.content).includes(text)) continue;
      messages.push(message);
      if (messages.length === limit) break;
    }
    return { messages: messages.map(messageJson), next: messages.length === limit ? messages.at(-1)!.seq : null };
  });
}

/** The partner API always responds with HTTP 200, even to invalid JSON, because the actual status is in the body. */
function partnerRoutes(api: FastifyInstance, viber: Viber): void {
  api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxRequestBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error: Error & { statusCode?: number }, _request, response) => {
      if (error.statusCode !== 413) throw error;
      return response.send({ status: status.bad_data, seq: 0 });
    });
    scope.post('/viber/vibersrvc/1/send_message', async (request, response) => {
      const { body, after_ms } = await viber.sending.send(String(request.body ?? ''));
      if (after_ms > 0) await new Promise((resolve) => setTimeout(resolve, after_ms));
      if (body !== null) return response.type('application/json; charset=utf-8').send(body);
      response.hijack();
      request.raw.socket.destroy();
      return response;
    });
  });
}

/**
 * Media that a service sent as a link is fetched when a phone shows it. Media from a phone is a file in this sandbox.
 */
function mediaRoutes(api: FastifyInstance, viber: Viber): void {
  api.get<{ Params: { token: string; name: string } }>('/viber/media/:token/:name', async ({ params }, response) => {
    const chat = viber.findMediaMessage(params.token);
    const media = chat?.content.media;
    if (!chat || !media) throw notFound('this file');
    const { bytes, mime } = await viber.links.fetch(viberExtra(chat).link ?? media.url);
    const disposition = displayable.test(mime) ? 'inline' : 'attachment';
    return response
      .header('content-disposition', `${disposition}; filename*=UTF-8''${encodeURIComponent(params.name)}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=3600')
      .type(chat.direction === 'from_phone' || displayable.test(mime) ? mime : 'application/octet-stream')
      .send(bytes);
  });
}

const templateJson = (template: Template) => ({ ...template, params: placeholders(template.text) });

const businessJson = (viber: Viber, business: Business) => ({
  ...business,
  last_callback: viber.callbacks.lastResponse(business.service_id),
});

function messageJson(chat: Chat) {
  const { type, label, tag, seq, ttl_seconds, session } = viberExtra(chat);
  return {
    id: chat.seq,
    message_token: chat.id,
    service_id: Number(chat.business_id),
    to: chat.phone,
    type,
    label,
    tag,
    seq: typeof seq === 'string' ? bareNumber(seq) : seq,
    ttl_seconds,
    tracking_data: chat.reference ?? '',
    session_id: session === undefined ? null : toSessionId(session),
    time: new Date(chat.time).toISOString(),
    status: chatStatus(chat),
    pending: chatPending(chat),
    pressed: chat.pressed,
    content: chat.content,
  };
}
