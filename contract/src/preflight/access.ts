/**
 * The preflight check of access forms: missing or invalid fields, missing files, and unsuitable names. It is pure, like
 * preflight.ts. The server also checks whether the website responds.
 */

import { ACCESS_FORMS, type AccessFields, requiredAccessFiles } from '../channels/access.ts';
import type { AccessForm } from '../channels/access_form.ts';
import type { AccessKind } from '../channels/access_kinds.ts';
import { type ProblemName, problemInRule, problemMessage } from '../problem.ts';
import { FILE_LABELS } from '../registrations/access_files.ts';
import type { PreflightFinding } from '../registrations/finding.ts';
import type { Registration } from '../registrations/registration.ts';
import { brandWords, GENERAL_NAMES, preflightFinding } from './words.ts';

export interface AccessDraft {
  readonly kind: AccessKind;
  /** The name of the company's account. */
  readonly brand: string;
  readonly registration: Pick<Registration, AccessKind>;
  readonly attached: readonly string[];
  readonly numbers?: readonly string[];
}

/** Titles for fields that have no problem in the catalog. */
const FIELD_TITLES: Readonly<Record<string, string>> = {
  business_country: 'Country is required',
  business_industry: 'Industry is required',
  business_locations: 'Locations are required',
};
/** Problems for missing fields, because the schema reports only the problems for invalid fields. */
const REQUIRED: Readonly<Record<string, ProblemName>> = {
  business_name: 'BUSINESS_NAME_REQUIRED',
  business_address: 'BUSINESS_ADDRESS_REQUIRED',
  business_description: 'BUSINESS_DESCRIPTION_REQUIRED',
  business_website: 'BUSINESS_WEBSITE_REQUIRED',
  business_phone: 'BUSINESS_PHONE_REQUIRED',
  business_email: 'BUSINESS_EMAIL_REQUIRED',
  targeted_countries: 'TARGETED_COUNTRIES_REQUIRED',
};

function fieldFindings({ kind, registration }: AccessDraft): PreflightFinding[] {
  const form = (registration[kind] ?? {}) as Record<string, unknown>;
  const { section: schema, fields, label }: AccessForm = ACCESS_FORMS[kind];
  const reported = new Set<string>();
  return (schema.safeParse(form).error?.issues ?? []).flatMap((issue) => {
    const name = String(issue.path[0]);
    if (reported.has(name)) return [];
    reported.add(name);
    const code = form[name] === undefined ? (fields[name]?.required ?? REQUIRED[name]) : problemInRule(issue.message);
    return [
      preflightFinding(
        'blocker',
        'field_missing',
        `${kind}.${issue.path.join('.')}`,
        fields[name]?.title ??
          FIELD_TITLES[name] ??
          (code ? problemMessage(code) : `${name.replaceAll('_', ' ')} is missing`),
        `${label} returns incomplete requests.`,
        'Complete this field.',
      ),
    ];
  });
}

function fileFindings({ kind, registration, attached }: AccessDraft): PreflightFinding[] {
  return requiredAccessFiles(kind, registration[kind])
    .filter((file) => !attached.includes(file))
    .map((file) =>
      file.startsWith('logo_')
        ? preflightFinding(
            'blocker',
            'logo_missing',
            `attachments.${file}`,
            `${FILE_LABELS[file]} is missing`,
            'People recognize your company by its logo, which is shown at exactly this size.',
            ACCESS_FORMS[kind].logo_fix,
          )
        : preflightFinding(
            'blocker',
            'document_missing',
            `attachments.${file}`,
            `Missing: ${FILE_LABELS[file]}`,
            file === 'industry_letter'
              ? 'Companies that offer gambling or credit need a license.'
              : 'With this letter, your company accepts responsibility for messages sent in its name.',
            'Attach a PDF file.',
          ),
    );
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const sharesWord = (name: string, others: string): boolean => {
  const words = brandWords(name);
  const inside = letters(others);
  return words.length === 0 ? inside.includes(letters(name)) : words.some((word) => inside.includes(word));
};

function nameFindings({ kind, brand, registration }: AccessDraft): PreflightFinding[] {
  const form = (registration[kind] ?? {}) as AccessFields;
  const { business_name = '', business_website = '', parent_name = '' } = form;
  const { name_field } = ACCESS_FORMS[kind];
  const shown = form[name_field];
  const field = `${kind}.${name_field}`;
  const findings: PreflightFinding[] = [];
  if (business_name && !sharesWord(business_name, brand))
    findings.push(
      preflightFinding(
        'warning',
        'name_not_company',
        `${kind}.business_name`,
        `“${business_name}” differs from your account name, ${brand}`,
        'Reviewers check both names against the business registry.',
        'Use the company’s registered name, or explain in the description how the two names are related.',
      ),
    );
  if (!shown) return findings;
  if (GENERAL_NAMES.has(letters(shown)))
    findings.push(
      preflightFinding(
        'blocker',
        'name_too_general',
        field,
        `“${shown}” is too generic`,
        'Generic names are rejected because they do not identify the business.',
        'Use the name of your company or brand.',
      ),
    );
  else if (!sharesWord(shown, `${business_name} ${business_website} ${parent_name} ${brand}`))
    findings.push(
      preflightFinding(
        'warning',
        'name_not_yours',
        field,
        `“${shown}” does not match your company or website`,
        `${ACCESS_FORMS[kind].label} checks your website to confirm that the name is yours.`,
        'Use the name that people know you by, or show this name on your website.',
      ),
    );
  if (Object.values(ACCESS_FORMS).some(({ reserved_names }) => reserved_names.test(shown)))
    findings.push(
      preflightFinding(
        'blocker',
        'name_of_channel',
        field,
        'Your name cannot contain the name of the channel',
        'Recipients would think that the message comes from the channel itself.',
        'Remove it from the name.',
      ),
    );
  return findings;
}

function emailFindings({ kind, registration }: AccessDraft): PreflightFinding[] {
  const { business_email, business_website } = (registration[kind] ?? {}) as AccessFields;
  if (!business_email || !business_website || !URL.canParse(business_website)) return [];
  const host = new URL(business_website).hostname.replace(/^www\./, '');
  const domain = business_email.split('@').at(-1)!.toLowerCase();
  return host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`)
    ? []
    : [
        preflightFinding(
          'warning',
          'email_elsewhere',
          `${kind}.business_email`,
          `The email address does not belong to ${host}`,
          'An email address at the company’s own domain shows that you represent the company.',
          'Use an email address at this domain, if available.',
        ),
      ];
}

const channelFindings = ({ kind, registration, numbers }: AccessDraft): PreflightFinding[] =>
  ACCESS_FORMS[kind].preflight(registration[kind], numbers);

export const accessFindings = (draft: AccessDraft): PreflightFinding[] =>
  [fieldFindings, nameFindings, fileFindings, emailFindings, channelFindings].flatMap((check) => check(draft));
