/**
 * The sandbox's own API for WhatsApp: its settings, template reviews, the state of numbers, and the recent webhooks.
 */
import type { FastifyInstance } from 'fastify';
import { inputChoice, inputObject, notFound } from '../problem.ts';
import { displayNumber, nameStatuses, qualities, type WhatsappNumber } from './account.ts';
import { play } from './happenings.ts';
import { defaultWhatsappSettings } from './settings.ts';
import { categories } from './templates/template_rules.ts';
import {
  type Change,
  rejectReasons,
  type Template,
  templateQualities,
  templateStatuses,
} from './templates/templates.ts';
import type { Whatsapp } from './whatsapp.ts';

type Id = { Params: { id: string } };

export function whatsappRoutes(api: FastifyInstance, whatsapp: Whatsapp): void {
  const { account, templates, webhooks } = whatsapp;

  api.get('/api/whatsapp', () => whatsapp.settings);
  api.get('/api/whatsapp/usual', () => defaultWhatsappSettings());
  api.put('/api/whatsapp', ({ body }) => whatsapp.changeSettings(body));

  api.get('/api/whatsapp/account', () => ({
    app_id: account.config.app_id,
    waba_id: account.config.waba_id,
    callback: account.subscription?.callback ?? null,
    subscribed: account.subscription !== undefined,
  }));
  api.get('/api/whatsapp/webhooks', () => ({ webhooks: webhooks.log }));

  api.get('/api/whatsapp/templates', () => ({ templates: templates.list().map(templateJson).reverse() }));
  api.put<Id>('/api/whatsapp/templates/:id', ({ params, body }) => {
    if (!templates.get(params.id)) throw notFound('this template');
    const input = inputObject(body, ['status', 'reason', 'category', 'quality']);
    const change: Change = {
      ...(input.status !== undefined && { status: inputChoice(input, 'status', templateStatuses) }),
      ...(input.reason !== undefined && { reason: inputChoice(input, 'reason', rejectReasons) }),
      ...(input.category !== undefined && { category: inputChoice(input, 'category', categories) }),
      ...(input.quality !== undefined && { quality: inputChoice(input, 'quality', templateQualities) }),
    };
    return templateJson(templates.update(params.id, change));
  });

  api.get('/api/whatsapp/numbers', () => ({
    numbers: account.numbers().map((number) => ({ ...numberJson(number), profile: whatsapp.profiles.get(number.id) })),
  }));
  api.post<Id>('/api/whatsapp/numbers/:id/events', ({ params, body }) => play(whatsapp, params.id, body));
  api.put<Id>('/api/whatsapp/numbers/:id', ({ params, body }) => {
    const number = account.number(params.id);
    if (!number) throw notFound('this number');
    const input = inputObject(body, ['quality_rating', 'name_status']);
    if (input.quality_rating !== undefined) {
      whatsapp.setQuality(number, inputChoice(input, 'quality_rating', qualities));
    }
    if (input.name_status !== undefined) {
      whatsapp.decideName(account.number(params.id)!, inputChoice(input, 'name_status', nameStatuses));
    }
    return numberJson(account.number(params.id)!);
  });
}

const isoTime = (time: number) => new Date(time).toISOString();

function templateJson({ created, submitted, edits, ...template }: Template) {
  return { ...template, created: isoTime(created), submitted: isoTime(submitted), edits: edits.length };
}

function numberJson(number: WhatsappNumber) {
  const { pin, created, asked, wrong, ...shown } = number;
  return { ...shown, display_phone_number: displayNumber(number), has_pin: pin !== null, created: isoTime(created) };
}
