/**
 * Fills in a template with the parameters from a message. The errors are those of the real API: 132000 for a wrong
 * number of parameters, 132012 for a wrong type, 131008 for a button without its parameter.
 */
import type { Button, Content } from '../../world/content.ts';
import { type FileRef, readRef } from '../file_ref.ts';
import { type Body, list, object, text } from '../graph/body.ts';
import { GraphError, invalidValue, missing } from '../graph/graph_error.ts';
import type { MediaKind } from '../media.ts';
import { type ParameterFormat, type Part, parseVariables } from './template_rules.ts';
import type { Template } from './templates.ts';

export interface FilledTemplate {
  template: Template;
  content: Content;
  file?: FileRef;
}

const headerKinds: Record<string, MediaKind> = { IMAGE: 'image', VIDEO: 'video', GIF: 'video', DOCUMENT: 'document' };

export function fillTemplate(
  body: Body,
  find: (name: string, language: string) => Template | undefined,
): FilledTemplate {
  const name = text(body, 'name', 'template', 512);
  const language = text(object(body.language, 'template.language'), 'code', 'template.language', 20);
  const template = find(name, language);
  if (!template || !['APPROVED', 'PAUSED', 'DISABLED'].includes(template.status)) {
    throw new GraphError(132001, `template name (${name}) does not exist in ${language}`);
  }
  if (template.status === 'PAUSED') throw new GraphError(132015, `template (${name}) is paused`);
  if (template.status === 'DISABLED') throw new GraphError(132016, `template (${name}) is disabled`);
  const given = body.components === undefined ? [] : optionalList(body.components, 'template.components');
  const parts = given.map((item) => object(item, 'template.components'));
  for (const { type } of parts) {
    if (!['header', 'body', 'button'].includes(String(type).toLowerCase())) {
      throw invalidValue(`template.components.type must be header, body, or button, not ${String(type)}`);
    }
  }
  const ofType = (type: string) => parts.filter((part) => String(part.type).toLowerCase() === type);
  const content: Content = { kind: 'template', template: { name, language, category: template.category } };
  const filled: FilledTemplate = { template, content };
  const stored = (type: string) => template.components.find((part) => part.type === type);
  fillHeader(stored('HEADER'), ofType('header')[0], template.parameter_format, filled);
  content.text = fillText(stored('BODY'), ofType('body')[0], template.parameter_format, 'body', 1024);
  const footer = stored('FOOTER')?.text;
  if (typeof footer === 'string') content.footer = footer;
  const buttons = fillButtons((stored('BUTTONS')?.buttons as Part[] | undefined) ?? [], ofType('button'));
  if (buttons.length > 0) content.buttons = buttons;
  return filled;
}

function optionalList(value: unknown, where: string): unknown[] {
  return Array.isArray(value) && value.length === 0 ? [] : list(value, where, 20);
}

const readParameters = (part: Body | undefined, where: string): Body[] =>
  part?.parameters === undefined
    ? []
    : optionalList(part.parameters, `${where}.parameters`).map((item) => object(item, `${where}.parameters`));

function fillHeader(stored: Part | undefined, part: Body | undefined, format: ParameterFormat, filled: FilledTemplate) {
  const given = readParameters(part, 'header');
  const expected = String(stored?.format ?? 'TEXT');
  if (!stored || expected === 'TEXT') {
    if (!stored && given.length > 0) throw countMismatch('header', given.length, 0);
    if (stored) filled.content.header = fillText(stored, part, format, 'header', 60);
    return;
  }
  const received = String(given[0]?.type ?? 'UNKNOWN').toUpperCase();
  const mismatch = () => new GraphError(132012, `header: Format mismatch, expected ${expected}, received ${received}`);
  if (given.length !== 1) throw mismatch();
  if (expected === 'LOCATION') {
    if (received !== 'LOCATION') throw mismatch();
    const { latitude, longitude, name, address } = object(given[0]!.location, 'header.location');
    filled.content.location = {
      latitude: Number(latitude),
      longitude: Number(longitude),
      name: String(name ?? ''),
      address: String(address ?? ''),
    };
    return;
  }
  const kind = headerKinds[expected]!;
  if (received !== expected && received !== kind.toUpperCase()) throw mismatch();
  filled.file = readRef(object(given[0]![kind], `header.${kind}`), kind, `header.${kind}`);
}

function countMismatch(where: string, received: number, expected: number): GraphError {
  return new GraphError(
    132000,
    `${where}: number of localizable_params (${received}) does not match the expected number of params (${expected})`,
  );
}

function fillText(
  stored: Part | undefined,
  part: Body | undefined,
  format: ParameterFormat,
  where: string,
  max: number,
): string {
  const template = String(stored?.text ?? '');
  const names = parseVariables(template, format, where);
  const given = readParameters(part, where);
  if (given.length !== names.length) throw countMismatch(where, given.length, names.length);
  const values = new Map<string, string>();
  for (const [at, parameter] of given.entries()) {
    const name = format === 'NAMED' ? String(parameter.parameter_name ?? '') : String(at + 1);
    if (!names.includes(name)) throw new GraphError(132012, `${where}: there is no parameter named "${name}"`);
    values.set(name, textParameter(parameter, where));
  }
  if (values.size < names.length) throw countMismatch(where, values.size, names.length);
  const filled = template.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name: string) => values.get(name)!);
  if (filled.length > max)
    throw new GraphError(132005, `${where}: the text has ${filled.length} characters, at most ${max}`);
  return filled;
}

function textParameter(parameter: Body, where: string): string {
  const type = String(parameter.type ?? 'text');
  if (type === 'currency' || type === 'date_time') {
    return text(object(parameter[type], `${where}.${type}`), 'fallback_value', `${where}.${type}`, 1024);
  }
  if (type !== 'text') {
    throw new GraphError(132012, `${where}: Format mismatch, expected TEXT, received ${type.toUpperCase()}`);
  }
  const value = text(parameter, 'text', `${where}.parameters`, 32_768);
  if (/[\n\t]| {5}/.test(value)) {
    throw new GraphError(
      132018,
      `${where}: a parameter may have no line breaks, no tabs, and no more than 4 spaces in a row`,
    );
  }
  return value;
}

function fillButtons(stored: Part[], given: Body[]): Button[] {
  const byPlace = new Map<number, Body>();
  for (const part of given) {
    const place = Number(part.index ?? Number.NaN);
    if (!Number.isInteger(place) || !stored[place])
      throw invalidValue(`button: there is no button at index ${String(part.index)}`);
    byPlace.set(place, part);
  }
  return stored.map((button, place) => fillButton(button, place, byPlace.get(place)));
}

const subTypes: Record<string, string> = {
  QUICK_REPLY: 'quick_reply',
  URL: 'url',
  COPY_CODE: 'copy_code',
  PHONE_NUMBER: 'phone_number',
};

function fillButton(button: Part, place: number, part: Body | undefined): Button {
  const type = String(button.type);
  const title = String(button.text ?? 'Copy offer code');
  const sub_type = String(part?.sub_type ?? subTypes[type]).toLowerCase();
  if (sub_type !== subTypes[type]) {
    throw new GraphError(132012, `button at index ${place}: expected ${subTypes[type]}, received ${sub_type}`);
  }
  const parameter = readParameters(part, `button at index ${place}`)[0];
  const missingParameter = () => missing(`buttons: Button at index ${place} of type ${sub_type} requires a parameter`);
  if (type === 'PHONE_NUMBER') return { type: 'phone_call', text: title, value: String(button.phone_number) };
  if (type === 'QUICK_REPLY') {
    const value = parameter ? text(parameter, 'payload', 'button.parameters', 256) : title;
    return { type: 'quick_reply', text: title, value };
  }
  if (type === 'COPY_CODE') {
    if (!parameter) throw missingParameter();
    return { type: 'copy_code', text: title, value: text(parameter, 'coupon_code', 'button.parameters', 15) };
  }
  const url = String(button.url);
  if (!url.includes('{{1}}')) {
    if (parameter) throw countMismatch(`button at index ${place}`, 1, 0);
    return { type: 'url', text: title, value: url };
  }
  if (!parameter) throw missingParameter();
  const value = text(parameter, 'text', 'button.parameters', 2000);
  const otp = /^https:\/\/www\.whatsapp\.com\/otp\/code\//.test(url);
  return otp
    ? { type: 'copy_code', text: title, value }
    : { type: 'url', text: title, value: url.replace('{{1}}', value) };
}
