/**
 * Writes a campaign's message for each contact. The preview, the cost, and the fan-out use the same writer, so a
 * recipient gets exactly the message that the preview shows.
 */
import { type CampaignContent, NO_CAMPAIGN_CONTENT } from '@parley/contract/campaigns/content.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import { render, tagsIn } from '@parley/contract/channels/sms/text.ts';
import { OPT_OUT_REPLY, withSampleLinks } from '@parley/contract/links/inline.ts';
import type { Content, Purpose } from '@parley/contract/messages/content.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { isKnownTag } from '@parley/contract/templates/placeholders.ts';
import { surplusFinding, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import { listContactFieldKeys } from '../../audiences/audiences.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import {
  type ComposedMessage,
  composeMessage,
  composeTemplate,
  type PersonalMessage,
} from '../../messages/messages.ts';
import type { Contact } from '../model/reach.ts';
import type { CampaignRow } from '../model/row.ts';
import { OPT_OUT_TAG, sampleOptOut, variableValues } from './values.ts';

export interface Written extends PersonalMessage {
  /** The contact's variables that are empty and have no fallback. */
  empty: readonly string[];
}

export interface Writer {
  /** The parts of the message that all recipients share. */
  message: ComposedMessage;
  /** The purpose that the price depends on; null on channels without purposes. */
  purpose: Purpose | null;
  /**
   * Previews pass the start of short URLs, and samples stand for the links. Without it, links and the opt-out text stay
   * in the text for the gate, which gives each recipient links of their own.
   */
  write(contact: Contact, link_prefix?: string): Written;
  /** Writes the text for people whose session is open; null if everyone gets the same message. */
  writeInSession: Writer['write'] | null;
  /** True if people without an open session get nothing. */
  needs_session: boolean;
}

export type WriterSource = Pick<CampaignRow, 'account_id' | 'channel' | 'text' | 'template_id'> & {
  content: Partial<CampaignContent>;
  session_text?: string | null;
};

/**
 * Throws the problem of the message: an unapproved template, a missing value, an invalid file, or a text that the
 * channel does not carry.
 */
export async function loadWriter(db: Queryable, source: WriterSource, sender: Sender | null): Promise<Writer> {
  const { rich } = channelRules(source.channel);
  const fields = await listContactFieldKeys(db, source.account_id);
  if (!rich) return textWriter(source, sender, fields);
  if (source.session_text) return createSessionWriter(db, source, source.session_text, sender, fields);
  return source.template_id === null
    ? createContentWriter(db, source, sender, fields)
    : createTemplateWriter(db, source, sender, fields);
}

/** Without a template, the text is the message, and the gate refuses people whose session is closed. */
async function createSessionWriter(
  db: Queryable,
  source: WriterSource,
  text: string,
  sender: Sender | null,
  fields: readonly string[],
): Promise<Writer> {
  const own = await createContentWriter(db, { ...source, text, template_id: null, content: {} }, sender, fields);
  if (source.template_id === null) return { ...own, purpose: 'service', needs_session: true };
  return { ...(await createTemplateWriter(db, source, sender, fields)), writeInSession: own.write };
}

const SAME_FOR_ALL = { writeInSession: null, needs_session: false } as const;

/** Variables of these texts that have no fallback. */
const unprotectedVariables = (texts: readonly string[], fields: readonly string[]): string[] => [
  ...new Set(
    texts
      .flatMap((text) => tagsIn(text, fields))
      .filter((tag) => tag.known && tag.fallback === '')
      .map((tag) => tag.name),
  ),
];

const emptyVariables = (names: readonly string[], values: Record<string, string>): string[] =>
  names.filter((name) => values[name]!.trim() === '');

function textWriter(
  { text }: WriterSource,
  sender: Sender | null,
  fields: readonly string[],
  content: Content | null = null,
): Writer {
  const message = { text, content, template_id: null, purpose: null };
  const linked = (link_prefix?: string) => (link_prefix === undefined ? text : withSampleLinks(text, link_prefix));
  if (!tagsIn(text, fields).some((tag) => tag.known))
    return {
      message,
      purpose: null,
      ...SAME_FOR_ALL,
      write: (_, link_prefix) => ({ text: linked(link_prefix), content, empty: [] }),
    };
  const names = unprotectedVariables([text], fields);
  return {
    message,
    purpose: null,
    ...SAME_FOR_ALL,
    write: (contact, link_prefix) => {
      const values = variableValues(
        contact,
        link_prefix === undefined ? OPT_OUT_TAG : sampleOptOut(sender, link_prefix),
        fields,
      );
      return { text: render(linked(link_prefix), values), content, empty: emptyVariables(names, values) };
    },
  };
}

async function createContentWriter(
  db: Queryable,
  source: WriterSource,
  sender: Sender | null,
  fieldKeys: readonly string[],
): Promise<Writer> {
  const { account_id, channel } = source;
  const { purposes } = channelRules(channel);
  const content = { ...NO_CAMPAIGN_CONTENT, ...source.content };
  const { variables: _, ...fields } = content;
  const body = { ...fields, text: source.text, template: null, variables: null };
  const message = await composeMessage(db, account_id, channel, body)({ id: sender?.id ?? '' });
  const purpose = message.purpose ?? (message.content && purposes?.outside(message.content)) ?? null;
  if (purpose && message.content) requireFit(channel, purpose, message.content);
  return { ...textWriter(source, sender, fieldKeys, message.content), message: { ...message, purpose }, purpose };
}

async function createTemplateWriter(
  db: Queryable,
  source: WriterSource,
  sender: Sender | null,
  fields: readonly string[],
): Promise<Writer> {
  const { account_id, channel, template_id } = source;
  const content = { ...NO_CAMPAIGN_CONTENT, ...source.content };
  const { template, fill } = await composeTemplate(
    db,
    account_id,
    channel,
    { id: sender?.id ?? '' },
    { ...content, template: template_id! },
  );
  const { purposes, templates } = channelRules(channel);
  if (templates.purpose(template) === 'authentication')
    throw new Problem('CAMPAIGN_TEMPLATE_INVALID', { message: 'A campaign cannot send verification codes' });
  const placeholders = templatePlaceholders(template);
  if (content.variables.length > placeholders.length) throw surplusProblem(placeholders.length);
  const texts = placeholders.map(
    ({ name, tag }, at) => content.variables[at]?.trim() || (isKnownTag(name, fields) ? tag : ''),
  );
  const unmapped = placeholders.filter(({ fallback }, at) => texts[at] === '' && fallback === null);
  if (unmapped.length > 0)
    throw new Problem('CAMPAIGN_VARIABLE_UNKNOWN', {
      field: 'variables',
      message: `Choose a value for ${unmapped.map(({ tag }) => tag).join(', ')}`,
    });
  const blank = fill({}).content;
  const purpose =
    templates.purpose(template) ?? content.purpose ?? (blank && purposes ? purposes.outside(blank) : null);
  if (blank && content.purpose) requireFit(channel, content.purpose, blank);
  // The carrier fills in the template, so it can contain no link to opt out.
  const opt_out = sender?.two_way === false ? '' : OPT_OUT_REPLY;
  const names = unprotectedVariables(
    texts.filter((_, at) => placeholders[at]!.fallback === null),
    fields,
  );
  return {
    message: { text: template.text, content: blank, template_id: template.id, purpose: chosenPurpose(purpose) },
    purpose,
    ...SAME_FOR_ALL,
    write: (contact) => {
      const values = variableValues(contact, opt_out, fields);
      const filled = fill(texts.map((text) => render(text, values)));
      const refusal: ProblemName | undefined = filled.findings[0] && 'VARIABLES_REQUIRED';
      return { text: filled.text, content: filled.content, refusal, empty: emptyVariables(names, values) };
    },
  };
}

const chosenPurpose = (purpose: Purpose | null): ComposedMessage['purpose'] =>
  purpose === 'promotional' || purpose === 'transactional' ? purpose : null;

function surplusProblem(placeholders: number): Problem {
  const { code, field, message } = surplusFinding(placeholders);
  return new Problem(code, { field, message });
}

function requireFit(
  channel: WriterSource['channel'],
  purpose: 'promotional' | 'transactional',
  content: Content,
): void {
  const refusal = channelRules(channel).purposes?.refusal(purpose, content);
  if (refusal) throw new Problem('MESSAGE_TYPE_NOT_ALLOWED', { field: 'purpose', message: refusal });
}
