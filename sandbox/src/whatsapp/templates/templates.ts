/**
 * Message templates: created, reviewed after a delay, edited, paused, disabled, and deleted. Every change sends a
 * webhook. Magic words determine the outcome of the review, unless a decision is made on the page or through the API.
 */
import type { Facts } from '../../storage/facts.ts';
import type { Schedule } from '../../storage/schedule.ts';
import { stableId } from '../account.ts';
import { GraphError, invalidParameter, noSuchObject } from '../graph/graph_error.ts';
import { templateWords } from '../magic.ts';
import type { MediaStore } from '../media.ts';
import {
  type Category,
  checkCategory,
  checkLanguage,
  checkName,
  checkParts,
  type ParameterFormat,
  type Part,
  refuse,
} from './template_rules.ts';

export const templateStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL'] as const;
export const rejectReasons = [
  'NONE',
  'ABUSIVE_CONTENT',
  'INCORRECT_CATEGORY',
  'INVALID_FORMAT',
  'PROMOTIONAL',
  'TAG_CONTENT_MISMATCH',
  'SCAM',
] as const;
export const templateQualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;

export interface Template {
  id: string;
  name: string;
  language: string;
  category: Category;
  previous_category: Category | null;
  status: (typeof templateStatuses)[number];
  reason: (typeof rejectReasons)[number];
  components: Part[];
  parameter_format: ParameterFormat;
  quality: (typeof templateQualities)[number];
  created: number;
  /** The time when the template was last submitted for review. */
  submitted: number;
  /** The times when the approved template was edited. */
  edits: number[];
}

export interface Change {
  status?: Template['status'];
  reason?: Template['reason'];
  category?: Category;
  quality?: Template['quality'];
}

type AddEvent = (field: string, value: Record<string, unknown>) => void;

const day = 24 * 3_600_000;
const nameReservedFor = 28 * day;
const prefix = 'whatsapp:template:';

export class Templates {
  private readonly facts: Facts;
  private readonly media: MediaStore;
  private readonly schedule: Schedule;
  private readonly addEvent: AddEvent;
  private readonly reviewDelay: () => number;
  /** The IDs by name and language, cached because every message looks one up. */
  private ids: Map<string, string> | undefined;

  constructor(facts: Facts, media: MediaStore, schedule: Schedule, addEvent: AddEvent, reviewDelay: () => number) {
    this.facts = facts;
    this.media = media;
    this.schedule = schedule;
    this.addEvent = addEvent;
    this.reviewDelay = reviewDelay;
  }

  /** Reschedules the pending reviews after a restart. */
  resume(): void {
    for (const template of this.list()) if (template.status === 'PENDING') this.review(template);
  }

  list(): Template[] {
    return this.facts.list<Template>(prefix);
  }

  get(id: string): Template | undefined {
    return this.facts.get<Template>(`${prefix}${id}`);
  }

  find(name: string, language: string): Template | undefined {
    this.ids ??= new Map(this.list().map((template) => [`${template.name} ${template.language}`, template.id]));
    return this.get(this.ids.get(`${name} ${language}`) ?? '');
  }

  create(body: Record<string, unknown>): Template {
    const name = checkName(body.name);
    const language = checkLanguage(body.language);
    const category = checkCategory(body.category);
    const parameter_format = checkFormat(body.parameter_format);
    const components = checkParts(body.components, category, parameter_format, this.media);
    if (this.find(name, language)) {
      throw refuse(
        2388024,
        'Content in this language already exists',
        `There is already ${language} content for ${name}`,
      );
    }
    const deleted = this.facts.get<number>(`whatsapp:deleted:${name} ${language}`);
    if (deleted !== undefined && deleted + nameReservedFor > Date.now()) {
      throw refuse(
        2388023,
        'The language is being deleted',
        `${name} in ${language} was deleted; try again in 4 weeks`,
      );
    }
    const now = Date.now();
    const template: Template = {
      id: stableId(`template ${name} ${language} ${now}`),
      name,
      language,
      category,
      previous_category: null,
      status: 'PENDING',
      reason: 'NONE',
      components,
      parameter_format,
      quality: 'UNKNOWN',
      created: now,
      submitted: now,
      edits: [],
    };
    this.put(template);
    this.ids = undefined;
    this.review(template);
    return template;
  }

  edit(id: string, body: Record<string, unknown>): void {
    const template = this.require(id);
    if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
      throw refuse(2388025, 'Template cannot be edited', `A ${template.status} template cannot be edited`);
    }
    for (const field of ['name', 'language'] as const) {
      if (body[field] !== undefined && body[field] !== template[field])
        throw invalidParameter(`${field} cannot be edited`);
    }
    const category = body.category === undefined ? template.category : checkCategory(body.category);
    const approved = template.status === 'APPROVED';
    if (approved && category !== template.category) {
      throw refuse(2388025, 'Category cannot be edited', 'The category of an approved template cannot be edited');
    }
    const edits = template.edits.filter((at) => at > Date.now() - 30 * day);
    if (approved && (edits.some((at) => at > Date.now() - day) || edits.length >= 10)) {
      const message = 'An approved template can be edited once every 24 hours and 10 times every 30 days';
      throw refuse(2388025, 'Edited too often', message);
    }
    const components =
      body.components === undefined
        ? template.components
        : checkParts(body.components, category, template.parameter_format, this.media);
    const next: Template = {
      ...template,
      category,
      components,
      status: 'PENDING',
      reason: 'NONE',
      submitted: Date.now(),
      edits: approved ? [...edits, Date.now()] : edits,
    };
    this.put(next);
    this.review(next);
  }

  /** Deletes the templates with this name in all languages, or only the template with this ID. */
  remove(name: unknown, hsm_id: unknown): void {
    if (typeof name !== 'string' || name === '') throw invalidParameter('Param name is required');
    const templates = this.list().filter(
      (template) => template.name === name && (hsm_id === undefined || template.id === hsm_id),
    );
    if (templates.length === 0) throw refuse(2593002, 'Message template not found', `There is no template ${name}`);
    for (const template of templates) {
      this.facts.remove(`${prefix}${template.id}`);
      this.ids = undefined;
      if (template.status === 'APPROVED') {
        this.facts.put(`whatsapp:deleted:${template.name} ${template.language}`, Date.now());
      }
      this.addStatusEvent(template, 'PENDING_DELETION', {});
    }
  }

  /** Applies a decision made by the review, on the page, or through the API. */
  update(id: string, { status, reason, category, quality }: Change): Template {
    const before = this.require(id);
    const now: Template = {
      ...before,
      status: status ?? before.status,
      reason: status === 'REJECTED' ? (reason ?? 'NONE') : (reason ?? (status ? 'NONE' : before.reason)),
      category: category ?? before.category,
      quality: quality ?? before.quality,
    };
    if (now.category !== before.category) now.previous_category = before.category;
    this.put(now);
    const names = nameFields(now);
    if (now.category !== before.category) {
      this.addEvent('template_category_update', {
        ...names,
        previous_category: before.category,
        new_category: now.category,
      });
    }
    if (now.quality !== before.quality) {
      this.addEvent('message_template_quality_update', {
        previous_quality_score: before.quality,
        new_quality_score: now.quality,
        ...names,
      });
    }
    if (now.status !== before.status) this.addStatusEvent(now, now.status, statusDetails(now));
    return now;
  }

  /**
   * Records that the template was used in a message. If the template contains certain magic words, it is then paused or
   * disabled.
   */
  recordUse(template: Template): void {
    const word = findMagicWord(template)?.word;
    if (word === 'pause_later') this.update(template.id, { status: 'PAUSED' });
    if (word === 'disable_later') this.update(template.id, { status: 'DISABLED' });
  }

  toJson(template: Template): Record<string, unknown> {
    const { id, name, status, category, language, components, parameter_format, previous_category } = template;
    return {
      name,
      parameter_format,
      components,
      language,
      status,
      category,
      ...(previous_category && { previous_category }),
      rejected_reason: template.reason,
      quality_score: { score: template.quality, date: Math.floor(template.submitted / 1000) },
      id,
    };
  }

  private review(template: Template): void {
    this.schedule.at(template.submitted + this.reviewDelay(), () => {
      const now = this.get(template.id);
      if (now?.status !== 'PENDING' || now.submitted !== template.submitted) return;
      const word = findMagicWord(now);
      if (word?.status === 'PENDING') return;
      if (word?.word === 'recategorize') this.update(now.id, { category: 'MARKETING' });
      const reason = (word?.reason ?? 'NONE') as Template['reason'];
      this.update(now.id, { status: word?.status ?? 'APPROVED', reason });
    });
  }

  private addStatusEvent(template: Template, event: string, extra: Record<string, unknown>): void {
    this.addEvent('message_template_status_update', {
      event,
      ...nameFields(template),
      reason: event === 'REJECTED' ? template.reason : 'NONE',
      message_template_category: template.category,
      ...extra,
    });
  }

  private require(id: string): Template {
    const template = this.get(id);
    if (!template) throw noSuchObject(id);
    return template;
  }

  private put(template: Template): void {
    this.facts.put(`${prefix}${template.id}`, template);
  }
}

function checkFormat(value: unknown): ParameterFormat {
  const format = String(value ?? 'POSITIONAL').toUpperCase();
  if (format !== 'POSITIONAL' && format !== 'NAMED') {
    throw new GraphError(100, 'Param parameter_format must be one of {POSITIONAL, NAMED}');
  }
  return format;
}

const nameFields = ({ id, name, language }: Template) => ({
  message_template_id: Number(id),
  message_template_name: name,
  message_template_language: language,
});

function statusDetails({ status, reason }: Template): Record<string, unknown> {
  if (status === 'PAUSED') {
    const description = 'Your WhatsApp message template has been paused for 3 hours because it had issues.';
    return { other_info: { title: 'FIRST_PAUSE', description } };
  }
  if (status === 'DISABLED') return { disable_info: { disable_date: Math.floor(Date.now() / 1000) } };
  if (status === 'REJECTED' && reason !== 'NONE') {
    return {
      rejection_info: {
        reason: `The template was rejected: ${reason}.`,
        recommendation: 'Change the template and submit it again.',
      },
    };
  }
  return {};
}

function findMagicWord({ name, components }: Template): (typeof templateWords)[number] | undefined {
  const body = components.find(({ type }) => type === 'BODY')?.text;
  const text = `${name}\n${String(body ?? '')}`.toLowerCase();
  return templateWords.find(({ word }) => text.includes(word));
}
