/**
 * Approved transactional templates: texts with {{names}}, which a message fills in. The request fields, lengths, and
 * statuses are published; the template syntax is our choice.
 */
import { randomUUID } from 'node:crypto';
import { inputObject, inputString, invalid, notFound, Problem } from '../problem.ts';
import type { Facts } from '../storage/facts.ts';
import { Refusal, status } from './statuses.ts';
import { limits } from './types.ts';

export interface Template {
  template_id: string;
  language: string;
  text: string;
}

const maxTemplates = 1000;
const prefix = 'viber/template/';
const placeholder = /\{\{\s*(\w{1,50})\s*\}\}/g;
/** A placeholder with this name stands for a one-time code and must have a value. */
const pin = 'pin';

export const placeholders = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map((match) => match[1]!)),
];

export class Templates {
  private readonly facts: Facts;

  constructor(facts: Facts) {
    this.facts = facts;
  }

  find(template_id: string): Template | undefined {
    return this.facts.get<Template>(prefix + template_id);
  }

  list(): Template[] {
    return this.facts.list<Template>(prefix);
  }

  /**
   * The caller can choose the ID, so that a seed always creates the same template. An existing template with this ID is
   * replaced.
   */
  create(body: unknown): Template {
    const input = inputObject(body, ['template_id', 'language', 'text']);
    const template_id = input.template_id === undefined ? randomUUID() : String(input.template_id);
    if (!/^[\w-]{1,100}$/.test(template_id)) throw invalid('template_id', 'can contain only letters, digits, -, and _');
    const language =
      input.language === undefined ? 'en' : inputString(input, 'language', { min: 2, max: 10 }).toLowerCase();
    const text = inputString(input, 'text', { min: 1, max: limits.text }).trim();
    if (text === '') throw invalid('text', 'must not be empty');
    if (!this.find(template_id) && this.list().length >= maxTemplates) {
      throw new Problem(409, 'full', `the limit of ${maxTemplates} templates is reached`);
    }
    const template: Template = { template_id, language, text };
    this.facts.put(prefix + template_id, template);
    return template;
  }

  remove(template_id: string): void {
    if (!this.find(template_id)) throw notFound(`template ${template_id}`);
    this.facts.remove(prefix + template_id);
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
    throw invalidTemplate(`templateLang is ${JSON.stringify(templateLang)}, the template is in ${template.language}`);
  }
  const names = placeholders(template.text);
  const params = templateParams === undefined && names.length === 0 ? {} : templateParams;
  if (typeof params !== 'object' || params === null || Array.isArray(params)) throw missing('templateParams');
  const values = params as Members;
  if (names.includes(pin) && (values[pin] === undefined || values[pin] === '')) {
    throw new Refusal(status.timeout, 'a template with a pin requires a value for it');
  }
  for (const name of Object.keys(values))
    if (!names.includes(name)) throw invalidTemplate(`the template has no ${name}`);
  for (const name of names) checkValue(name, values[name]);
  return { template, text: template.text.replace(placeholder, (_all, name: string) => String(values[name])) };
}

function checkValue(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw invalidTemplate(`${name} must be a non-empty string`);
  if ([...value].length > limits.template_value) {
    throw invalidTemplate(`${name} must have at most ${limits.template_value} characters`);
  }
  if (!value.isWellFormed() || value.includes('\0'))
    throw invalidTemplate(`${name} contains characters that no message can carry`);
  if (/https?:\/\/|\bwww\./i.test(value)) throw invalidTemplate(`${name} must not contain a link`);
}

const missing = (name: string) => new Refusal(status.bad_parameters, `${name} is missing`);
const invalidTemplate = (reason: string) => new Refusal(status.template_invalid, reason);
