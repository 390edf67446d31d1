/**
 * Validates and fills templates, for the form, the API, the gate, and the carrier. All functions are pure. Each
 * channel's own rules are in its folder.
 */
import type { TemplateRules } from '../channels/channel.ts';
import { channelRules } from '../channels/index.ts';
import { replaceTags } from '../channels/sms/text.ts';
import type { Content } from '../messages/content.ts';
import { problemMessage } from '../problem.ts';
import { textLength } from '../text_length.ts';
import {
  type FillableTemplate,
  type Finding,
  finding,
  MAX_TEMPLATE_NAME,
  MAX_VARIABLE,
  type TemplateDraft,
} from './draft.ts';
import { findPlaceholders, type Placeholder } from './placeholders.ts';

/** All placeholders in order, starting with those in the header. Each of them gets a value. */
export const templatePlaceholders = ({ header, text }: Pick<TemplateDraft, 'header' | 'text'>): Placeholder[] => [
  ...findPlaceholders(header ?? ''),
  ...findPlaceholders(text),
];

/**
 * Returns all problems with a template, described for users. A template without findings can be saved and sent for
 * review.
 */
export function templateFindings(draft: TemplateDraft): Finding[] {
  const rules = channelRules(draft.channel);
  return [...nameFindings(draft.name.trim(), rules.templates), ...rules.checkTemplate(draft)];
}

function nameFindings(name: string, rules: TemplateRules): Finding[] {
  if (name === '') return [finding('TEMPLATE_NAME_REQUIRED', 'name', 'Template name is required!')];
  if (textLength(name) > MAX_TEMPLATE_NAME)
    return [finding('TEMPLATE_NAME_TOO_LONG', 'name', problemMessage('NAME_TOO_LONG'))];
  if (rules.name && !rules.name.pattern.test(name)) return [finding('TEMPLATE_NAME_INVALID', 'name', rules.name.rule)];
  // Names appear in lists and URLs, so they have no control characters, no change of direction, and at least one
  // visible character.
  const wrong = /[\p{Cc}\p{Bidi_Control}]/u.test(name) || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(name);
  return wrong ? [finding('TEMPLATE_NAME_INVALID', 'name')] : [];
}

/** Values in the order of the placeholders (header first), or by tag. Null is not a value. */
export type TemplateValues = readonly (string | null)[] | Readonly<Record<string, string | null | undefined>>;

export interface Filled {
  /** The text as the recipient reads it. */
  text: string;
  /** Null if the message is only text. The gate may still set the purpose. */
  content: Content | null;
  /** Empty if the message can be sent. */
  findings: Finding[];
}

export function fillTemplate(template: FillableTemplate, values: TemplateValues): Filled {
  const { rich, templates: rules } = channelRules(template.channel);
  const findings: Finding[] = [];
  const placeholders = templatePlaceholders(template);
  if (isList(values) && values.length > placeholders.length) findings.push(surplusFinding(placeholders.length));
  const filled = placeholders.map((placeholder, at) => {
    const { value, problem } = isList(values)
      ? listedValue(rules, placeholder, values[at])
      : namedValue(rules, placeholder, values[placeholder.name]);
    if (problem && !findings.some((other) => other.code === problem.code)) findings.push(problem);
    else {
      const refusal = rules.refuseValue(template, value);
      if (refusal) findings.push(finding('VARIABLE_TOO_LONG', 'variables', refusal));
    }
    return value;
  });
  const inHeader = rich ? findPlaceholders(template.header ?? '').length : 0;
  const header_values = filled.slice(0, inHeader);
  const body_values = filled.slice(inHeader);
  return {
    text: insertValues(template.text, body_values),
    content: rich ? toContent(rules, template, header_values, body_values) : null,
    findings,
  };
}

interface Value {
  value: string;
  problem?: Finding;
}

const isList = (values: TemplateValues): values is readonly (string | null)[] => Array.isArray(values);
// A required value must be on one line, so each run of whitespace becomes a space.
const tidy = (rules: TemplateRules, value: string) =>
  rules.values === 'required' ? value.replace(/\s+/g, ' ').trim() : value;

/** Resolves a value from a list: each placeholder needs a value or a fallback. */
function listedValue(
  rules: TemplateRules,
  { name, tag, fallback }: Placeholder,
  given: string | null | undefined,
): Value {
  if (given === null) return { value: '', problem: finding('VARIABLES_NULL', 'variables') };
  // The gate fills it for each recipient.
  if (given === undefined && name === 'sms_opt_out') return { value: tag };
  const required = rules.values === 'required';
  const value = tidy(rules, given ?? '');
  if (textLength(value) > MAX_VARIABLE) return { value, problem: finding('VARIABLE_TOO_LONG', 'variables') };
  if (value.trim() !== '') return { value };
  if (fallback !== null && (fallback.trim() !== '' || !required)) return { value: fallback };
  return given === undefined || required
    ? { value: '', problem: finding('VARIABLES_REQUIRED', 'variables') }
    : { value };
}

/**
 * Resolves a contact's value, by tag. An empty field stays empty, unless the channel requires a value. A name that no
 * contact has is refused.
 */
function namedValue(rules: TemplateRules, { fallback }: Placeholder, given: string | null | undefined): Value {
  if (given === undefined && fallback === null)
    return { value: '', problem: finding('VARIABLES_REQUIRED', 'variables') };
  const value = tidy(rules, given ?? '');
  const filled = value.trim() === '' ? (fallback ?? '') : value;
  if (rules.values !== 'required') return { value: filled };
  if (filled.trim() === '') return { value: '', problem: finding('VARIABLES_REQUIRED', 'variables') };
  return textLength(filled) > MAX_VARIABLE
    ? { value: filled, problem: finding('VARIABLE_TOO_LONG', 'variables') }
    : { value: filled };
}

const insertValues = (text: string, values: readonly string[]): string => replaceTags(text, (_, at) => values[at]!);

/** Surplus values would mean that the caller and the template disagree about which value belongs where. */
export const surplusFinding = (placeholders: number): Finding =>
  finding(
    'VARIABLES_TOO_MANY',
    'variables',
    placeholders === 0
      ? 'This message has no variables'
      : `There are more values than variables: the template has ${placeholders}`,
  );

function toContent(
  rules: TemplateRules,
  template: FillableTemplate,
  header_values: string[],
  body_values: string[],
): Content {
  return {
    media_id: template.media_id,
    url: template.url,
    file_name: template.filename,
    media_type: template.type === 'text' ? null : template.type,
    content_type: null,
    header: template.header && insertValues(template.header, header_values),
    footer: template.footer,
    buttons: [...template.buttons],
    template: {
      id: template.id,
      name: template.name,
      external_id: template.external_id,
      language: template.external_language ?? template.language,
      header_values,
      body_values,
      ...(rules.named_values ? { body_names: findPlaceholders(template.text).map(({ name }) => name) } : {}),
    },
    purpose: rules.purpose(template),
    pressed: null,
    answers: null,
  };
}
