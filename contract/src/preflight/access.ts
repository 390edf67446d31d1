/**
 * What WhatsApp and Viber would send a company back for. Pure, as preflight.ts is: what is missing or wrong in the form, files that are not there, a
 * number nobody has shown to be theirs, names that do not fit. Whether the website answers is added by the server.
 */

import { type ProblemName, problemInRule, problemMessage } from '../problem.ts';
import {
  ACCESS_LABELS,
  type AccessKind,
  accessFilesFor,
  FILE_WORDS,
  type ViberDraft,
  ViberSection,
  type WhatsappDraft,
  WhatsappSection,
} from '../registrations/access_form.ts';
import type { Finding, Registration } from '../registrations/registration.ts';
import { brandWords, found, GENERAL_NAMES, MARKETING } from './words.ts';

export interface AccessDraft {
  readonly kind: AccessKind;
  /** The name of the company’s account. */
  readonly brand: string;
  readonly registration: Pick<Registration, AccessKind>;
  readonly attached: readonly string[];
  readonly numbers?: readonly string[];
}

type Form = WhatsappDraft & ViberDraft;

/** What is not told by a code of its own. */
const MISSING: Readonly<Record<string, string>> = {
  business_country: 'The country is missing',
  business_industry: 'The industry is missing',
  business_locations: 'The locations are missing',
  number_from: 'It is not said which number is used',
  phone_number: 'The number is missing',
  display_name: 'The display name is missing or too short',
  meta_business_id: 'The Meta business id has digits only',
  about: 'The text about the company is too long',
  category: 'The category of the profile is missing',
  traffic: 'It is not said what kind of messages are sent',
  two_way: 'It is not said whether people can answer',
  sample_messages: 'An example message is missing',
};
/** Said as missing, where the catalogue only has words for what is wrong. */
const REQUIRED: Readonly<Record<string, ProblemName>> = {
  business_name: 'BUSINESS_NAME_REQUIRED',
  business_name_en: 'BUSINESS_NAME_EN_REQUIRED',
  business_address: 'BUSINESS_ADDRESS_REQUIRED',
  business_description: 'BUSINESS_DESCRIPTION_REQUIRED',
  business_website: 'BUSINESS_WEBSITE_REQUIRED',
  business_phone: 'BUSINESS_PHONE_REQUIRED',
  business_email: 'BUSINESS_EMAIL_REQUIRED',
  targeted_countries: 'TARGETED_COUNTRIES_REQUIRED',
};

function incomplete({ kind, registration }: AccessDraft): Finding[] {
  const form = (registration[kind] ?? {}) as Record<string, unknown>;
  const schema = kind === 'whatsapp' ? WhatsappSection : ViberSection;
  const told = new Set<string>();
  return (schema.safeParse(form).error?.issues ?? []).flatMap((issue) => {
    const name = String(issue.path[0]);
    if (told.has(name)) return [];
    told.add(name);
    const code = form[name] === undefined ? REQUIRED[name] : problemInRule(issue.message);
    return [
      found(
        'blocker',
        'field_missing',
        `${kind}.${issue.path.join('.')}`,
        MISSING[name] ?? (code ? problemMessage(code) : `${name.replaceAll('_', ' ')} is missing`),
        `${ACCESS_LABELS[kind]} sends back what is not complete.`,
        'Fill it in.',
      ),
    ];
  });
}

function files({ kind, registration, attached }: AccessDraft): Finding[] {
  return accessFilesFor(kind, registration[kind])
    .filter((file) => !attached.includes(file))
    .map((file) =>
      file.startsWith('logo_')
        ? found(
            'blocker',
            'logo_missing',
            `attachments.${file}`,
            `${FILE_WORDS[file]} is missing`,
            'People recognise you by it, and it is shown in exactly this size.',
            kind === 'viber'
              ? 'Attach it as PNG. From one picture all sizes can be made at once.'
              : 'Attach it as PNG. It can be made here from any larger picture.',
          )
        : found(
            'blocker',
            'document_missing',
            `attachments.${file}`,
            `Missing: ${FILE_WORDS[file]}`,
            file === 'industry_letter'
              ? 'Who offers games or credit has to show that they may.'
              : 'With it the company answers for what is sent in its name.',
            'Attach it as PDF.',
          ),
    );
}

function number({ registration: { whatsapp }, numbers }: AccessDraft): Finding[] {
  if (!whatsapp?.phone_number || numbers === undefined || numbers.includes(whatsapp.phone_number)) return [];
  const own = whatsapp.number_from !== 'account';
  return [
    found(
      'blocker',
      'number_unverified',
      'whatsapp.phone_number',
      own ? 'The number has not been shown to be yours' : 'The number is none of your account',
      'A number becomes a sender only for whom it belongs to.',
      own ? 'Have a code sent to it, and enter it.' : 'Choose one of your numbers, or use one you have elsewhere.',
    ),
  ];
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const alike = (name: string, others: string): boolean => {
  const words = brandWords(name);
  const inside = letters(others);
  return words.length === 0 ? inside.includes(letters(name)) : words.some((word) => inside.includes(word));
};

function names({ kind, brand, registration }: AccessDraft): Finding[] {
  const form = (registration[kind] ?? {}) as Form;
  const { business_name = '', business_website = '', parent_name = '' } = form;
  const shown = kind === 'whatsapp' ? form.display_name : form.business_name_en;
  const field = `${kind}.${kind === 'whatsapp' ? 'display_name' : 'business_name_en'}`;
  const findings: Finding[] = [];
  if (business_name && !alike(business_name, brand))
    findings.push(
      found(
        'warning',
        'name_not_company',
        `${kind}.business_name`,
        `“${business_name}” is not the name of your account, ${brand}`,
        'Reviewers compare the two, and the name in the register with both.',
        'Use the name of the company as registered, or tell in the description how the two belong together.',
      ),
    );
  if (!shown) return findings;
  if (GENERAL_NAMES.has(letters(shown)))
    findings.push(
      found(
        'blocker',
        'name_too_general',
        field,
        `“${shown}” could be anybody`,
        'General words are refused: people cannot tell who writes.',
        'Use the name of your company or brand.',
      ),
    );
  else if (!alike(shown, `${business_name} ${business_website} ${parent_name} ${brand}`))
    findings.push(
      found(
        'warning',
        'name_not_yours',
        field,
        `“${shown}” does not look like your company or website`,
        `${ACCESS_LABELS[kind]} wants to see on the website that the name is yours.`,
        'Choose the name that people know you by, or show it on the website.',
      ),
    );
  if (/whats ?app|viber|\bmeta\b/i.test(shown))
    findings.push(
      found(
        'blocker',
        'name_of_channel',
        field,
        'The name of the channel cannot be part of yours',
        'It would read as if the channel itself wrote.',
        'Leave it out.',
      ),
    );
  return findings;
}

function address({ kind, registration }: AccessDraft): Finding[] {
  const { business_email, business_website } = (registration[kind] ?? {}) as Form;
  if (!business_email || !business_website || !URL.canParse(business_website)) return [];
  const host = new URL(business_website).hostname.replace(/^www\./, '');
  const domain = business_email.split('@').at(-1)!.toLowerCase();
  return host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`)
    ? []
    : [
        found(
          'warning',
          'email_elsewhere',
          `${kind}.business_email`,
          `The e-mail address is not of ${host}`,
          'An address of the company’s own domain shows that you speak for it.',
          'Use one if you have it.',
        ),
      ];
}

function samples({ kind, registration: { viber } }: AccessDraft): Finding[] {
  if (kind !== 'viber' || !viber?.sample_messages || viber.traffic !== 'transactional') return [];
  const at = viber.sample_messages.findIndex((text) => MARKETING.test(text));
  return at < 0
    ? []
    : [
        found(
          'warning',
          'sample_is_marketing',
          `viber.sample_messages.${at}`,
          `Example ${at + 1} reads like marketing, the traffic is transactional`,
          'Viber charges and allows the two differently, and looks at the examples for it.',
          'Choose both kinds of traffic, or take the offer out of the example.',
        ),
      ];
}

export const accessFindings = (draft: AccessDraft): Finding[] =>
  [incomplete, number, names, files, address, samples].flatMap((check) => check(draft));
