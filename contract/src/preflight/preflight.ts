/**
 * The preflight check of a request: it finds problems that reviewers would report. It is pure. The page runs it while
 * the user types, and the server runs it before it accepts a request. The server also checks the website.
 */

import { isAccessKind } from '../channels/access_kinds.ts';
import type { PreflightFinding } from '../registrations/finding.ts';
import {
  REQUEST_SECTIONS,
  type Registration,
  type RequestKind,
  requiredDocuments,
  type SectionName,
  USE_CASES,
  type UseCase,
} from '../registrations/registration.ts';
import { DOCUMENTS, type DocumentKind } from '../senders/countries.ts';
import type { Sender } from '../senders/senders.ts';
import { accessFindings } from './access.ts';
import { brandWords, CONSENT, ENDED, GENERAL_NAMES, isForeign, MARKETING, preflightFinding, STOP } from './words.ts';

export interface Draft {
  readonly kind: RequestKind;
  readonly sender: Pick<Sender, 'code' | 'type' | 'countries'>;
  /** The name of the company in messages: its brand or its company name. */
  readonly brand: string;
  readonly registration: Registration;
  readonly attached: readonly string[];
  /** For WhatsApp: the company's verified numbers, and those it sends SMS from. */
  readonly numbers?: readonly string[];
}

const SECTION_LABELS: Record<SectionName, string> = {
  company: 'company',
  sms_campaign: 'purpose',
  signup_options: 'opt-in',
  example_messages: 'example messages',
  compliance_keyword_responses: 'keyword replies',
  toll_free: 'toll-free details',
  tcr: 'details for The Campaign Registry',
};

type Check = (draft: Draft) => PreflightFinding[];

const PLURAL: readonly SectionName[] = ['example_messages', 'compliance_keyword_responses', 'toll_free', 'tcr'];
const missingSections: Check = ({ kind, registration }) =>
  REQUEST_SECTIONS[kind]
    .filter((name) => registration[name] === null)
    .map((name) =>
      preflightFinding(
        'blocker',
        'section_missing',
        name,
        `The ${SECTION_LABELS[name]} ${PLURAL.includes(name) ? 'are' : 'is'} missing`,
        'Reviewers return incomplete requests.',
        'Complete this step.',
      ),
    );

/** If the text is in another language, a missing keyword is only a warning, and the operators decide. */
const levelByLanguage = (level: PreflightFinding['level'], text: string): PreflightFinding['level'] =>
  isForeign(text) ? 'warning' : level;

const optIn: Check = ({ registration: { signup_options: signup } }) => {
  if (!signup) return [];
  const findings: PreflightFinding[] = [];
  const place = 'Reviewers open the form. If they cannot, they reject the opt-in.';
  if (signup.methods.includes('web_form') && signup.web_form_url === '')
    findings.push(
      preflightFinding(
        'blocker',
        'opt_in_place',
        'signup_options.web_form_url',
        'The URL of the opt-in form is missing',
        place,
        'Enter the URL of the page with the form.',
      ),
    );
  if (!CONSENT.test(signup.description))
    findings.push(
      preflightFinding(
        levelByLanguage('blocker', signup.description),
        'opt_in_words',
        'signup_options.description',
        'The description does not explain how people opt in',
        'You can message only people who opted in. Reviewers need to see where people agree and what they agree to.',
        'Describe the step where people agree, and quote the sentence they see.',
      ),
    );
  return findings;
};

const USE_CASE_KEYWORDS: Partial<Record<UseCase, { readonly pattern: RegExp; readonly words: string }>> = {
  two_factor: { pattern: /\b(code|otp|pin|passcode|password|verif\w*|\d{4,8})\b/i, words: 'a code' },
  delivery_notification: {
    pattern: /\b(deliver\w*|order|parcel|package|ship\w*|courier|arriv\w*|pick ?up|track\w*)\b/i,
    words: 'an order or a delivery',
  },
  fraud_alert: {
    pattern: /\b(fraud|suspicious|unusual|transaction|payment|charge|card|alert)\b/i,
    words: 'a suspicious event',
  },
  security_alert: {
    pattern: /\b(sign[- ]?in|log[- ]?in|password|security|device|access|alert)\b/i,
    words: 'a security event',
  },
  polling_voting: { pattern: /\b(vote|poll|survey|question|answer|reply|rate)\b/i, words: 'a question' },
};
const MARKETING_USE_CASES: readonly UseCase[] = ['marketing', 'mixed', 'sweepstake', 'charity'];

const useCase: Check = ({ kind, registration: { sms_campaign: campaign, example_messages: examples } }) => {
  if (!campaign || !examples) return [];
  const level = kind === 'sender_id' ? 'warning' : 'blocker';
  const name = USE_CASES[campaign.use_case].toLowerCase();
  const why = 'Reviewers compare the examples with the purpose. A mismatch is the most common reason for rejection.';
  const mark = USE_CASE_KEYWORDS[campaign.use_case];
  return examples.messages.flatMap((text, index) => {
    const field = `example_messages.messages.${index}`;
    if (!MARKETING_USE_CASES.includes(campaign.use_case) && MARKETING.test(text))
      return [
        preflightFinding(
          level,
          'sample_is_marketing',
          field,
          `Example ${index + 1} reads like marketing, but the purpose is ${name}`,
          why,
          'Choose “Marketing” or “Several of these”, or remove the offer from the example.',
        ),
      ];
    if (mark && !mark.pattern.test(text))
      return [
        preflightFinding(
          levelByLanguage(level, text),
          'sample_mismatch',
          field,
          `Example ${index + 1} does not match the purpose, ${name}`,
          why,
          `Write it as you will send it, and include ${mark.words}.`,
        ),
      ];
    return [];
  });
};

const namesCompany = (text: string, { brand, registration }: Draft): boolean => {
  const words = [...brandWords(brand), ...brandWords(registration.company?.business_name ?? '')];
  const inside = text.toLowerCase();
  return words.length === 0 || words.some((word) => inside.includes(word));
};

const optOut: Check = (draft) => {
  const { kind, registration } = draft;
  const { compliance_keyword_responses: keywords, example_messages: examples } = registration;
  const findings: PreflightFinding[] = [];
  if (keywords) {
    if (!ENDED.test(keywords.stop_text))
      findings.push(
        preflightFinding(
          levelByLanguage('blocker', keywords.stop_text),
          'stop_confirms',
          'compliance_keyword_responses.stop_text',
          'The reply to STOP does not confirm the opt-out',
          'The reply must say that no more messages will be sent.',
          'For example: “You have been unsubscribed and will receive no more messages.”',
        ),
      );
    if (!STOP.test(keywords.help_text))
      findings.push(
        preflightFinding(
          levelByLanguage('blocker', keywords.help_text),
          'help_stop',
          'compliance_keyword_responses.help_text',
          'The reply to HELP does not explain how to opt out',
          'Carriers require the opt-out keyword in the reply to HELP.',
          'Add “Reply STOP to end”.',
        ),
      );
    for (const field of ['stop_text', 'help_text'] as const)
      if (!namesCompany(keywords[field], draft))
        findings.push(
          preflightFinding(
            'warning',
            'keyword_brand',
            `compliance_keyword_responses.${field}`,
            `The reply to ${field === 'stop_text' ? 'STOP' : 'HELP'} does not name your company`,
            'People need to know who is replying.',
            'Begin the reply with the name of your company or brand.',
          ),
        );
  }
  if (kind !== 'sender_id' && examples && !examples.messages.some((text) => STOP.test(text)))
    findings.push(
      preflightFinding(
        levelByLanguage('blocker', examples.messages.join(' ')),
        'sample_stop',
        'example_messages.messages.0',
        'No example explains how to opt out',
        'At least the first message to each recipient must explain how to opt out.',
        'Add “Reply STOP to end” to one of the examples.',
      ),
    );
  return findings;
};

const SHORTENER_DOMAINS =
  'bit.ly tinyurl.com goo.gl t.co ow.ly is.gd buff.ly rebrand.ly cutt.ly shorturl.at rb.gy t.ly tiny.cc bl.ink';
const SHORTENERS = new RegExp(`\\b(?:${SHORTENER_DOMAINS.replaceAll('.', '\\.').replaceAll(' ', '|')})\\b`, 'i');

const examples: Check = (draft) => {
  const { example_messages: examples } = draft.registration;
  if (!examples) return [];
  const findings: PreflightFinding[] = [];
  const positions = new Map<string, number>();
  examples.messages.forEach((text, index) => {
    const field = `example_messages.messages.${index}`;
    const short = SHORTENERS.exec(text)?.[0];
    if (short)
      findings.push(
        preflightFinding(
          'blocker',
          'shortener',
          field,
          `Example ${index + 1} uses the link shortener ${short}`,
          'Carriers filter public link shorteners because they hide where a link leads.',
          'Use a link to your own domain.',
        ),
      );
    if (/\b(lorem ipsum|test message|asdf|xxx+)\b/i.test(text))
      findings.push(
        preflightFinding(
          'blocker',
          'placeholder',
          field,
          `Example ${index + 1} is a placeholder`,
          'Reviewers need to see the messages that people will receive.',
          'Write the message as you will send it.',
        ),
      );
    const alike = positions.get(text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
    if (alike !== undefined)
      findings.push(
        preflightFinding(
          'blocker',
          'samples_alike',
          field,
          `Example ${index + 1} is the same as example ${alike + 1}`,
          'The examples must show different messages.',
          'Write a different message.',
        ),
      );
    positions.set(text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''), index);
  });
  if (!examples.messages.some((text) => namesCompany(text, draft)))
    findings.push(
      preflightFinding(
        'warning',
        'samples_brand',
        'example_messages.messages.0',
        'No example names your company',
        'People and reviewers need to see who sends the message.',
        `Begin an example with “${draft.brand}:”.`,
      ),
    );
  return findings;
};

const embeddedContent: Check = ({ registration: { tcr, example_messages: examples } }) => {
  if (!tcr || !examples) return [];
  const all = examples.messages.join('\n');
  const declared = (field: 'embedded_link' | 'embedded_phone', what: string) =>
    preflightFinding(
      'warning',
      field,
      `tcr.${field}`,
      `The examples contain ${what} that is not declared`,
      'Undeclared content can be blocked later.',
      'Declare it in the details for The Campaign Registry.',
    );
  return [
    ...(!tcr.embedded_link && /https?:\/\/|\bwww\./i.test(all) ? [declared('embedded_link', 'a link')] : []),
    ...(!tcr.embedded_phone && /\+?\d[\d\s().-]{8,}\d/.test(all) ? [declared('embedded_phone', 'a phone number')] : []),
  ];
};

const senderName: Check = (draft) => {
  const { kind, sender } = draft;
  if (kind !== 'sender_id') return [];
  if (GENERAL_NAMES.has(sender.code.toLowerCase()))
    return [
      preflightFinding(
        'blocker',
        'name_too_general',
        'code',
        `“${sender.code}” is too generic`,
        'Carriers reject generic names because they do not identify the business.',
        'Use the name of your company or brand.',
      ),
    ];
  const companyText = [
    draft.brand,
    draft.registration.company?.business_name ?? '',
    draft.registration.company?.business_website ?? '',
  ]
    .join('')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const part = sender.code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 4);
  return companyText === '' || companyText.includes(part)
    ? []
    : [
        preflightFinding(
          'warning',
          'name_not_yours',
          'code',
          `“${sender.code}” does not match your company or website`,
          'Reviewers ask for proof that you own the name.',
          'Attach proof, or choose the name that people know you by.',
        ),
      ];
};

const documentReason = (kind: DocumentKind): string =>
  kind === 'sweepstakes_terms' ? 'reviewers read the rules of every sweepstakes' : 'the country requires it';

const documents: Check = ({ sender, registration, attached }) =>
  requiredDocuments(sender.countries, sender.type, registration.sms_campaign?.use_case)
    .filter((kind) => !attached.includes(kind))
    .map((kind) =>
      preflightFinding(
        'blocker',
        'document_missing',
        `attachments.${kind}`,
        'A document is missing',
        `${DOCUMENTS[kind]}: ${documentReason(kind)}.`,
        'Attach a PDF, JPG, or PNG file.',
      ),
    );

const CHECKS: readonly Check[] = [
  missingSections,
  senderName,
  optIn,
  useCase,
  optOut,
  examples,
  embeddedContent,
  documents,
];

/** Returns the findings, blockers first, each group in the order of the form. */
export function preflight(draft: Draft): PreflightFinding[] {
  const { kind } = draft;
  const findings = isAccessKind(kind) ? accessFindings({ ...draft, kind }) : CHECKS.flatMap((check) => check(draft));
  return [
    ...findings.filter(({ level }) => level === 'blocker'),
    ...findings.filter(({ level }) => level === 'warning'),
  ];
}
