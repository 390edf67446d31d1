/**
 * The Graph API calls, grouped by the kind of object they act on. Each call takes a line or two; other modules do the
 * work.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chance } from '../../world/carrier.ts';
import { requireNumber } from '../account.ts';
import { ConnectionCut, send } from '../sending.ts';
import type { Whatsapp } from '../whatsapp.ts';
import { type Body, object, text } from './body.ts';
import { numberFields, page, pick } from './fields.ts';
import { readForm, readMediaFile } from './form.ts';
import { GraphError, invalidParameter } from './graph_error.ts';

export interface Call {
  whatsapp: Whatsapp;
  id: string;
  /** The query and the body merged, as in the Graph API. */
  input: Body;
  query: Record<string, string>;
  request: FastifyRequest;
  response: FastifyReply;
}

type Action = (call: Call) => unknown;

/** Finds the action for a method that is called on an object or one of its edges. */
export function findAction(
  { account, media, templates }: Whatsapp,
  method: string,
  id: string,
  edge: string | undefined,
): Action | undefined {
  const key = `${method} ${edge ?? ''}`;
  if (id === account.config.waba_id) return businessActions[key];
  if (id === account.config.app_id) return appActions[key];
  if (id.startsWith('upload:')) return uploadActions[key];
  if (account.number(id)) return numberActions[key];
  if (templates.get(id)) return templateActions[key];
  if (media.get(id)) return mediaActions[key];
  return undefined;
}

const success = { success: true };
const optionalString = (input: Body, field: string) => (input[field] === undefined ? undefined : String(input[field]));

const businessActions: Record<string, Action> = {
  'GET ': ({ whatsapp, query }) =>
    pick(
      { id: whatsapp.account.config.waba_id, name: 'Sandbox business', currency: 'USD', timezone_id: '1' },
      query.fields,
    ),
  'POST phone_numbers': ({ whatsapp, input }) => {
    const { cc, phone_number, verified_name } = input;
    if (cc === undefined || phone_number === undefined || verified_name === undefined) {
      throw invalidParameter('cc, phone_number, and verified_name are required');
    }
    const number = whatsapp.account.create(String(cc), String(phone_number), String(verified_name));
    whatsapp.reviewName(number);
    whatsapp.publishChange();
    return { id: number.id };
  },
  'GET phone_numbers': ({ whatsapp, query, request }) =>
    page(
      whatsapp.account.numbers().map((number) => numberFields(whatsapp, number, query.fields)),
      query,
      requestUrl(request),
    ),
  'POST subscribed_apps': async ({ whatsapp, input }) => {
    await whatsapp.account.subscribe(
      optionalString(input, 'override_callback_uri'),
      optionalString(input, 'verify_token'),
    );
    whatsapp.webhooks.pump();
    whatsapp.publishChange();
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
    whatsapp.publishChange();
    return success;
  },
  'POST message_templates': ({ whatsapp, input }) => {
    const { id, status, category } = whatsapp.templates.create(input);
    whatsapp.publishChange();
    return { id, status, category };
  },
  'GET message_templates': ({ whatsapp, query, request }) => {
    const { name, status, category, language, fields } = query;
    const templates = whatsapp.templates
      .list()
      .filter(
        (template) =>
          (!name || template.name.includes(name)) &&
          (!status || template.status === status) &&
          (!category || template.category === category) &&
          (!language || template.language === language),
      );
    return page(
      templates.map((template) => pick(whatsapp.templates.toJson(template), fields)),
      query,
      requestUrl(request),
    );
  },
  'DELETE message_templates': ({ whatsapp, input }) => {
    whatsapp.templates.remove(input.name, optionalString(input, 'hsm_id'));
    whatsapp.publishChange();
    return success;
  },
};

const requestUrl = ({ protocol, host, url }: FastifyRequest) => `${protocol}://${host}${url.split('?')[0]}`;

const appActions: Record<string, Action> = {
  'GET ': ({ whatsapp, query }) => pick({ id: whatsapp.account.config.app_id, name: 'Sandbox app' }, query.fields),
  'POST uploads': ({ whatsapp, input }) => ({
    id: whatsapp.media.openSession(
      optionalString(input, 'file_name') ?? 'file',
      Number(input.file_length),
      optionalString(input, 'file_type') ?? '',
    ),
  }),
};

const uploadId = ({ id, query }: Call) => (query.sig === undefined ? id : `${id}?sig=${query.sig}`);

const uploadActions: Record<string, Action> = {
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

const numberActions: Record<string, Action> = {
  'GET ': ({ whatsapp, id, query }) => numberFields(whatsapp, requireNumber(whatsapp.account, id), query.fields),
  'DELETE ': ({ whatsapp, id }) => {
    whatsapp.account.remove(id);
    whatsapp.publishChange();
    return success;
  },
  'POST request_code': ({ whatsapp, id, input }) => {
    const number = requireNumber(whatsapp.account, id);
    const method = optionalString(input, 'code_method') ?? '';
    const code = whatsapp.account.requestCode(number, method, optionalString(input, 'language') ?? 'en_US');
    whatsapp.sendCode(number, method, code);
    whatsapp.publishChange();
    return success;
  },
  'POST verify_code': ({ whatsapp, id, input }) => {
    whatsapp.account.verifyCode(requireNumber(whatsapp.account, id), optionalString(input, 'code') ?? '');
    whatsapp.publishChange();
    return success;
  },
  'POST register': ({ whatsapp, id, input }) => {
    checkProduct(input);
    const pin = text(input, 'pin', '', 20);
    whatsapp.account.register(requireNumber(whatsapp.account, id), pin, whatsapp.settings.verification_required);
    whatsapp.publishChange();
    return success;
  },
  'POST deregister': ({ whatsapp, id }) => {
    whatsapp.account.deregister(requireNumber(whatsapp.account, id));
    whatsapp.publishChange();
    return success;
  },
  'GET whatsapp_business_profile': ({ whatsapp, id, query, request }) => ({
    data: [
      pick(
        whatsapp.profiles.toJson(id, `${request.protocol}://${request.host}`),
        `${query.fields ?? 'about'},messaging_product`,
      ),
    ],
  }),
  'POST whatsapp_business_profile': ({ whatsapp, id, input }) => {
    checkProduct(input);
    whatsapp.profiles.update(id, input);
    whatsapp.publishChange();
    return success;
  },
  'POST media': async ({ whatsapp, request }) => {
    const { bytes, mime, file_name } = await readMediaFile(await readForm(request));
    return { id: whatsapp.media.upload(bytes, mime, file_name).id };
  },
  'POST messages': (call) => postMessage(call),
};

async function postMessage({ whatsapp, id, input, request, response }: Call): Promise<unknown> {
  const number = requireNumber(whatsapp.account, id);
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
  if (chance(settings.server_errors_percent)) throw new GraphError(2, 'The sandbox settings cause this error');
  const cut = () => {
    response.hijack();
    request.raw.socket.destroy();
  };
  try {
    const sent = await send(whatsapp, number, input);
    if (sent.cut) return cut();
    if (settings.answer_delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, settings.answer_delay_ms));
    return sent.body;
  } catch (error) {
    if (error instanceof ConnectionCut) return cut();
    throw error;
  }
}

const templateActions: Record<string, Action> = {
  'GET ': ({ whatsapp, id, query }) => pick(whatsapp.templates.toJson(whatsapp.templates.get(id)!), query.fields),
  'POST ': ({ whatsapp, id, input }) => {
    whatsapp.templates.edit(id, input);
    whatsapp.publishChange();
    return success;
  },
};

const mediaActions: Record<string, Action> = {
  'GET ': ({ whatsapp, id, request }) =>
    whatsapp.media.toJson(whatsapp.media.get(id)!, `${request.protocol}://${request.host}`),
  'DELETE ': ({ whatsapp, id }) => {
    whatsapp.media.remove(id);
    return success;
  },
};

function checkProduct({ messaging_product }: Body): void {
  if (messaging_product !== 'whatsapp') throw invalidParameter('Param messaging_product must be one of {WHATSAPP}');
}
