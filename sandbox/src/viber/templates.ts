// Transactional templates, as the partner portal would have approved them: a text with {{names}} that a message fills. Published are the
// fields of the request, the lengths and the statuses; how a template is written is chosen.
import { randomUUID } from 'node:crypto';
import type { Facts } from '../facts.ts';
import { inputObject, inputString, invalid, notFound, Problem } from '../problem.ts';
import { Refusal, status } from './statuses.ts';
import { limits } from './types.ts';

export interface Template {
  template_id: string;
  language: string;
  text: string;
}

const most = 1000;
const prefix = 'viber/template/';
const placeholder = /\{\{\s*(\w{1,50})\s*\}\}/g;
/** In a template with this name the value is a one-time code, and must not be left out. */
const pin = 'pin';

export const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map((match) => match[1]!)),
];

export class Templates {
  #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  find(template_id: string): Template | undefined {
    return this.#facts.get<Template>(prefix + template_id);
  }

  list(): Template[] {
    return this.#facts.list<Template>(prefix);
  }

  /** The id may be given, so that a seed has the same one every time; then it may also replace a template. */
  make(body: unknown): Template {
    const input = inputObject(body, ['template_id', 'language', 'text']);
    const template_id = input.template_id === undefined ? randomUUID() : String(input.template_id);
    if (!/^[\w-]{1,100}$/.test(template_id)) throw invalid('template_id', 'must be letters, digits, - and _');
    const language =
      input.language === undefined ? 'en' : inputString(input, 'language', { min: 2, max: 10 }).toLowerCase();
    const text = inputString(input, 'text', { min: 1, max: limits.text }).trim();
    if (text === '') throw invalid('text', 'must not be empty');
    if (!this.find(template_id) && this.list().length >= most) {
      throw new Problem(409, 'full', `there are ${most} templates already`);
    }
    const template: Template = { template_id, language, text };
    this.#facts.put(prefix + template_id, template);
    return template;
  }

  remove(template_id: string): void {
    if (!this.find(template_id)) throw notFound(`template ${template_id}`);
    this.#facts.remove(prefix + template_id);
  }
}

type Members = Record<string, unknown>;

export interface Filled {
  template: Template;
  text: string;
}

export function readTemplate(body: Members, find: (template_id: string) => Template | undefined): Filled {
  const { templateId, templateLang, templateParams } = body;
  if (typeof templateId !== 'string' || templateId === '') throw missing('templateId');
  if (typeof templateLang !== 'string' || templateLang === '') throw missing('templateLang');
  const template = find(templateId);
  if (!template) throw new Refusal(status.template_not_found, `there is no template ${JSON.stringify(templateId)}`);
  if (templateLang.toLowerCase() !== template.language) {
    throw wrong(`templateLang is ${JSON.stringify(templateLang)}, the template is in ${template.language}`);
  }
  const names = namesIn(template.text);
  const params = templateParams === undefined && names.length === 0 ? {} : templateParams;
  if (typeof params !== 'object' || params === null || Array.isArray(params)) throw missing('templateParams');
  const values = params as Members;
  if (names.includes(pin) && (values[pin] === undefined || values[pin] === '')) {
    throw new Refusal(status.timeout, 'a template with a pin needs one');
  }
  for (const name of Object.keys(values)) if (!names.includes(name)) throw wrong(`the template has no ${name}`);
  for (const name of names) checkValue(name, values[name]);
  return { template, text: template.text.replace(placeholder, (_all, name: string) => String(values[name])) };
}

function checkValue(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw wrong(`${name} must be a text`);
  if ([...value].length > limits.template_value) {
    throw wrong(`${name} must have at most ${limits.template_value} characters`);
  }
  if (!value.isWellFormed() || value.includes('\0')) throw wrong(`${name} has characters no message can carry`);
  if (/https?:\/\/|\bwww\./i.test(value)) throw wrong(`${name} must not have a link in it`);
}

const missing = (name: string) => new Refusal(status.bad_parameters, `${name} is missing`);
const wrong = (reason: string) => new Refusal(status.template_invalid, reason);
