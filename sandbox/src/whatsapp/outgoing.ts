/**
 * Reads a message from a business: checks its type and limits, and turns it into the content that the phone shows.
 * `sending.ts` looks up the files.
 */
import type { Button, Content } from '../world/content.ts';
import { type FileRef, readRef } from './file_ref.ts';
import { type Body, list, object, optionalText, text, unique } from './graph/body.ts';
import { GraphError, invalidValue, missing } from './graph/graph_error.ts';
import type { MediaKind } from './media.ts';
import type { FilledTemplate } from './templates/template_fill.ts';

export interface Outgoing {
  content: Content;
  file?: FileRef;
  template?: FilledTemplate;
}

type FillTemplate = (body: Body) => FilledTemplate;

const maxTextLength = 4096;
const maxCaptionLength = 1024;
const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const;

export function readOutgoing(body: Body, fill: FillTemplate): Outgoing {
  const type = body.type === undefined ? 'text' : body.type;
  if (typeof type !== 'string') throw invalidValue('type must be a string');
  if ((mediaTypes as readonly string[]).includes(type)) return readFile(object(body[type], type), type as MediaKind);
  if (type === 'text') return readText(object(body.text, 'text'));
  if (type === 'template') {
    const template = fill(object(body.template, 'template'));
    return { content: template.content, file: template.file, template };
  }
  if (type === 'interactive') return readInteractive(object(body.interactive, 'interactive'));
  if (type === 'location') return readLocation(object(body.location, 'location'));
  if (type === 'contacts') return readContacts(body);
  if (type === 'reaction') return readReaction(object(body.reaction, 'reaction'));
  throw new GraphError(131051, `Message type ${type} is not supported`);
}

function readText(body: Body): Outgoing {
  if (body.preview_url !== undefined && typeof body.preview_url !== 'boolean')
    throw invalidValue('text.preview_url must be true or false');
  return { content: { kind: 'text', text: text(body, 'body', 'text', maxTextLength) } };
}

function readFile(body: Body, kind: MediaKind): Outgoing {
  const caption = optionalText(body, 'caption', kind, maxCaptionLength);
  if (caption !== undefined && (kind === 'audio' || kind === 'sticker'))
    throw invalidValue(`${kind} may have no caption`);
  return { content: { kind, ...(caption && { caption }) }, file: readRef(body, kind, kind) };
}

function readInteractive(body: Body): Outgoing {
  const type = body.type;
  const action = object(body.action, 'interactive.action');
  const isList = type === 'list';
  const bodyText = text(object(body.body, 'interactive.body'), 'text', 'interactive.body', isList ? 4096 : 1024);
  const content: Content = { kind: 'interactive', text: bodyText };
  const footer = body.footer === undefined ? undefined : object(body.footer, 'interactive.footer');
  if (footer) content.footer = text(footer, 'text', 'interactive.footer', 60);
  const file =
    body.header === undefined ? undefined : readHeader(object(body.header, 'interactive.header'), content, isList);
  if (type === 'button') content.buttons = replyButtons(action);
  else if (isList) {
    content.list_title = text(action, 'button', 'interactive.action', 20);
    content.buttons = listRows(action);
  } else if (type === 'cta_url') content.buttons = [linkButton(action)];
  else if (type === 'location_request_message') {
    if (action.name !== 'send_location') throw invalidValue('interactive.action.name must be send_location');
  } else throw new GraphError(131051, `Interactive type ${String(type)} is not supported`);
  return { content, ...(file && { file }) };
}

function readHeader(header: Body, content: Content, text_only: boolean): FileRef | undefined {
  const { type } = header;
  if (type === 'text') {
    content.header = text(header, 'text', 'interactive.header', 60);
    return undefined;
  }
  const kinds = ['image', 'video', 'document'];
  if (text_only || typeof type !== 'string' || !kinds.includes(type)) {
    throw invalidValue(`interactive.header.type must be ${text_only ? 'text' : `text, ${kinds.join(', ')}`}`);
  }
  const where = `interactive.header.${type}`;
  return readRef(object(header[type], where), type as MediaKind, where);
}

function replyButtons(action: Body): Button[] {
  const buttons = list(action.buttons, 'interactive.action.buttons', 3).map((item): Button => {
    const button = object(item, 'interactive.action.buttons');
    if (button.type !== 'reply') throw invalidValue('interactive.action.buttons.type must be reply');
    const reply = object(button.reply, 'reply');
    return { type: 'quick_reply', text: text(reply, 'title', 'reply', 20), value: text(reply, 'id', 'reply', 256) };
  });
  unique(
    buttons.map(({ value }) => value),
    'the ids of buttons',
  );
  unique(
    buttons.map(({ text: title }) => title),
    'the titles of buttons',
  );
  return buttons;
}

function listRows(action: Body): Button[] {
  const sections = list(action.sections, 'interactive.action.sections', 10).map((item) => object(item, 'section'));
  const rows = sections.flatMap((section) => {
    if (sections.length > 1 || section.title !== undefined) text(section, 'title', 'section', 24);
    return list(section.rows, 'section.rows', 10).map((item): Button => {
      const row = object(item, 'row');
      const description = optionalText(row, 'description', 'row', 72);
      return {
        type: 'quick_reply',
        text: text(row, 'title', 'row', 24),
        value: text(row, 'id', 'row', 200),
        ...(description && { description }),
      };
    });
  });
  if (rows.length > 10) throw invalidValue(`a list may have at most 10 rows, not ${rows.length}`);
  unique(
    rows.map(({ value }) => value),
    'the ids of rows',
  );
  return rows;
}

function linkButton(action: Body): Button {
  if (action.name !== 'cta_url') throw invalidValue('interactive.action.name must be cta_url');
  const parameters = object(action.parameters, 'interactive.action.parameters');
  const url = text(parameters, 'url', 'parameters', 2000);
  if (!/^https?:\/\/\S+$/.test(url)) throw invalidValue('parameters.url must be a web address');
  return { type: 'url', text: text(parameters, 'display_text', 'parameters', 20), value: url };
}

function readLocation(body: Body): Outgoing {
  const degrees = (field: string, max: number) => {
    const value = Number(body[field] ?? Number.NaN);
    if (!(Math.abs(value) <= max)) throw invalidValue(`location.${field} must be at most ${max} degrees`);
    return value;
  };
  const name = optionalText(body, 'name', 'location', 1000);
  const address = optionalText(body, 'address', 'location', 1000);
  const place = { latitude: degrees('latitude', 90), longitude: degrees('longitude', 180) };
  return { content: { kind: 'location', location: { ...place, ...(name && { name }), ...(address && { address }) } } };
}

function readContacts(body: Body): Outgoing {
  const contacts = list(body.contacts, 'contacts', 257).map((item) => {
    const contact = object(item, 'contacts');
    const name = object(contact.name, 'contacts.name');
    const parts = ['first_name', 'last_name', 'middle_name', 'suffix', 'prefix'];
    if (!parts.some((part) => typeof name[part] === 'string' && name[part] !== ''))
      throw missing(`contacts.name needs one of ${parts.join(', ')}`);
    const texts = (field: string, part: string) =>
      contact[field] === undefined
        ? []
        : list(contact[field], `contacts.${field}`, 50).map((entry) =>
            text(object(entry, `contacts.${field}`), part, `contacts.${field}`, 200),
          );
    return {
      name: text(name, 'formatted_name', 'contacts.name', 200),
      phones: texts('phones', 'phone'),
      emails: texts('emails', 'email'),
    };
  });
  return { content: { kind: 'contacts', contacts } };
}

function readReaction(body: Body): Outgoing {
  text(body, 'message_id', 'reaction', 200);
  if (typeof body.emoji !== 'string') throw missing('reaction.emoji');
  return { content: { kind: 'reaction', text: body.emoji } };
}
