// The calls of the Graph API, by the kind of object they go to. A line or two each: what they do is elsewhere.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chance } from '../carrier.ts';
import { numberOf } from './account.ts';
import { type Body, object, text } from './body.ts';
import { mediaFile, readForm } from './form.ts';
import { GraphError, invalidParameter } from './graph_error.ts';
import { Lost, send } from './sending.ts';
import { numberFields, page, pick } from './shown.ts';
import type { Whatsapp } from './whatsapp.ts';

export interface Call {
  whatsapp: Whatsapp;
  id: string;
  /** Query and body together, as the Graph API takes them. */
  input: Body;
  query: Record<string, string>;
  request: FastifyRequest;
  answer: FastifyReply;
}

type Act = (call: Call) => unknown;

/** What a method of an object, or of an edge of it, does; nothing when there is no such thing. */
export function actOf(
  { account, media, templates }: Whatsapp,
  method: string,
  id: string,
  edge: string | undefined,
): Act | undefined {
  const key = `${method} ${edge ?? ''}`;
  if (id === account.config.waba_id) return ofBusiness[key];
  if (id === account.config.app_id) return ofApp[key];
  if (id.startsWith('upload:')) return ofUpload[key];
  if (account.number(id)) return ofNumber[key];
  if (templates.get(id)) return ofTemplate[key];
  if (media.get(id)) return ofMedia[key];
  return undefined;
}

const success = { success: true };
const textOf = (input: Body, field: string) => (input[field] === undefined ? undefined : String(input[field]));

const ofBusiness: Record<string, Act> = {
  'GET ': ({ whatsapp, query }) =>
    pick(
      { id: whatsapp.account.config.waba_id, name: 'Sandbox business', currency: 'USD', timezone_id: '1' },
      query.fields,
    ),
  'POST phone_numbers': ({ whatsapp, input }) => {
    const { cc, phone_number, verified_name } = input;
    if (cc === undefined || phone_number === undefined || verified_name === undefined) {
      throw invalidParameter('cc, phone_number and verified_name are required');
    }
    const number = whatsapp.account.create(String(cc), String(phone_number), String(verified_name));
    whatsapp.reviewName(number);
    whatsapp.tell();
    return { id: number.id };
  },
  'GET phone_numbers': ({ whatsapp, query, request }) =>
    page(
      whatsapp.account.numbers().map((number) => numberFields(whatsapp, number, query.fields)),
      query,
      addressOf(request),
    ),
  'POST subscribed_apps': async ({ whatsapp, input }) => {
    await whatsapp.account.subscribe(textOf(input, 'override_callback_uri'), textOf(input, 'verify_token'));
    whatsapp.webhooks.pump();
    whatsapp.tell();
    return success;
  },
  'GET subscribed_apps': ({ whatsapp }) => {
    const { config, subscription } = whatsapp.account;
    const app = {
      whatsapp_business_api_data: { id: config.app_id, name: 'Sandbox app', link: 'https://app.example/' },
    };
    const override = subscription?.callback ? { override_callback_uri: subscription.callback } : {};
    return { data: subscription ? [{ ...app, ...override }] : [] };
  },
  'DELETE subscribed_apps': ({ whatsapp }) => {
    whatsapp.account.unsubscribe();
    whatsapp.tell();
    return success;
  },
  'POST message_templates': ({ whatsapp, input }) => {
    const { id, status, category } = whatsapp.templates.create(input);
    whatsapp.tell();
    return { id, status, category };
  },
  'GET message_templates': ({ whatsapp, query, request }) => {
    const { name, status, category, language, fields } = query;
    const found = whatsapp.templates
      .list()
      .filter(
        (one) =>
          (!name || one.name.includes(name)) &&
          (!status || one.status === status) &&
          (!category || one.category === category) &&
          (!language || one.language === language),
      );
    return page(
      found.map((one) => pick(whatsapp.templates.shown(one), fields)),
      query,
      addressOf(request),
    );
  },
  'DELETE message_templates': ({ whatsapp, input }) => {
    whatsapp.templates.remove(input.name, textOf(input, 'hsm_id'));
    whatsapp.tell();
    return success;
  },
};

const addressOf = ({ protocol, host, url }: FastifyRequest) => `${protocol}://${host}${url.split('?')[0]}`;

const ofApp: Record<string, Act> = {
  'GET ': ({ whatsapp, query }) => pick({ id: whatsapp.account.config.app_id, name: 'Sandbox app' }, query.fields),
  'POST uploads': ({ whatsapp, input }) => ({
    id: whatsapp.media.openSession(
      textOf(input, 'file_name') ?? 'file',
      Number(input.file_length),
      textOf(input, 'file_type') ?? '',
    ),
  }),
};

const uploadId = ({ id, query }: Call) => (query.sig === undefined ? id : `${id}?sig=${query.sig}`);

const ofUpload: Record<string, Act> = {
  'GET ': (call) => {
    const id = uploadId(call);
    return { id, file_offset: call.whatsapp.media.session(id).bytes.length };
  },
  'POST ': (call) => {
    const id = uploadId(call);
    const offset = Number(call.request.headers.file_offset ?? 0);
    const { body } = call.request;
    if (!Buffer.isBuffer(body)) throw invalidParameter('The bytes of the file must be the body');
    const h = call.whatsapp.media.append(id, offset, body);
    return h === undefined ? { id, file_offset: offset + body.length } : { h };
  },
};

const ofNumber: Record<string, Act> = {
  'GET ': ({ whatsapp, id, query }) => numberFields(whatsapp, numberOf(whatsapp.account, id), query.fields),
  'DELETE ': ({ whatsapp, id }) => {
    whatsapp.account.remove(id);
    whatsapp.tell();
    return success;
  },
  'POST request_code': ({ whatsapp, id, input }) => {
    const number = numberOf(whatsapp.account, id);
    const method = textOf(input, 'code_method') ?? '';
    const code = whatsapp.account.requestCode(number, method, textOf(input, 'language') ?? 'en_US');
    whatsapp.carryCode(number, method, code);
    whatsapp.tell();
    return success;
  },
  'POST verify_code': ({ whatsapp, id, input }) => {
    whatsapp.account.verifyCode(numberOf(whatsapp.account, id), textOf(input, 'code') ?? '');
    whatsapp.tell();
    return success;
  },
  'POST register': ({ whatsapp, id, input }) => {
    checkProduct(input);
    const pin = text(input, 'pin', '', 20);
    whatsapp.account.register(numberOf(whatsapp.account, id), pin, whatsapp.settings.verification_required);
    whatsapp.tell();
    return success;
  },
  'POST deregister': ({ whatsapp, id }) => {
    whatsapp.account.deregister(numberOf(whatsapp.account, id));
    whatsapp.tell();
    return success;
  },
  'GET whatsapp_business_profile': ({ whatsapp, id, query, request }) => ({
    data: [
      pick(
        whatsapp.profiles.shown(id, `${request.protocol}://${request.host}`),
        `${query.fields ?? 'about'},messaging_product`,
      ),
    ],
  }),
  'POST whatsapp_business_profile': ({ whatsapp, id, input }) => {
    checkProduct(input);
    whatsapp.profiles.change(id, input);
    whatsapp.tell();
    return success;
  },
  'POST media': async ({ whatsapp, request }) => {
    const { bytes, mime, file_name } = await mediaFile(await readForm(request));
    return { id: whatsapp.media.upload(bytes, mime, file_name).id };
  },
  'POST messages': (call) => messages(call),
};

async function messages({ whatsapp, id, input, request, answer }: Call): Promise<unknown> {
  const number = numberOf(whatsapp.account, id);
  const { settings } = whatsapp;
  if (input.status !== undefined) {
    checkProduct(input);
    if (input.status !== 'read') throw invalidParameter('Param status must be one of {read}');
    const typing = input.typing_indicator !== undefined;
    if (typing && object(input.typing_indicator, 'typing_indicator').type !== 'text') {
      throw invalidParameter('Param typing_indicator.type must be one of {text}');
    }
    whatsapp.markRead(text(input, 'message_id', '', 200), typing);
    return success;
  }
  if (chance(settings.server_errors_percent)) throw new GraphError(2, 'Set by the sandbox');
  const cut = () => {
    answer.hijack();
    request.raw.socket.destroy();
  };
  try {
    const sent = await send(whatsapp, number, input);
    if (sent.cut) return cut();
    if (settings.answer_delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, settings.answer_delay_ms));
    return sent.body;
  } catch (error) {
    if (error instanceof Lost) return cut();
    throw error;
  }
}

const ofTemplate: Record<string, Act> = {
  'GET ': ({ whatsapp, id, query }) => pick(whatsapp.templates.shown(whatsapp.templates.get(id)!), query.fields),
  'POST ': ({ whatsapp, id, input }) => {
    whatsapp.templates.edit(id, input);
    whatsapp.tell();
    return success;
  },
};

const ofMedia: Record<string, Act> = {
  'GET ': ({ whatsapp, id, request }) =>
    whatsapp.media.answer(whatsapp.media.get(id)!, `${request.protocol}://${request.host}`),
  'DELETE ': ({ whatsapp, id }) => {
    whatsapp.media.remove(id);
    return success;
  },
};

function checkProduct({ messaging_product }: Body): void {
  if (messaging_product !== 'whatsapp') throw invalidParameter('Param messaging_product must be one of {WHATSAPP}');
}
