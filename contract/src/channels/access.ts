/** The registry of access forms. */
import type { z } from 'zod';
import type { AccessFile, FileKind } from '../registrations/access_files.ts';
import type { AccessForm } from './access_form.ts';
import { type AccessKind, mapAccessKinds } from './access_kinds.ts';
import { type ViberDraft, viber } from './viber/access.ts';
import { type WhatsappDraft, whatsapp } from './whatsapp/access.ts';

export const ACCESS_FORMS = { whatsapp, viber } as const satisfies Readonly<Record<AccessKind, AccessForm>>;

/** The fields of all forms. A saved form has some of them. */
export type AccessFields = WhatsappDraft & ViberDraft;
type Drafts = { readonly [K in AccessKind]: z.ZodDefault<z.ZodNullable<(typeof ACCESS_FORMS)[K]['draft']>> };
/** The members of a registration that hold the forms; null until the first part is saved. */
export const ACCESS_SECTIONS = mapAccessKinds((kind) => {
  const { draft }: AccessForm = ACCESS_FORMS[kind];
  return draft.nullable().default(null);
}) as unknown as Drafts;
/** The profile of a sender in use. One channel has it. */
export { ProfileDraft } from './whatsapp/access.ts';

export const accessFile = (kind: AccessKind, file: string): AccessFile | undefined =>
  ACCESS_FORMS[kind].files.find((one) => one.kind === file);

/** Industries that must attach a license. */
const LICENSED_INDUSTRIES: readonly number[] = [14];

/** The required files, in the order of the form. */
export const requiredAccessFiles = (
  kind: AccessKind,
  form: { business_industry?: number | undefined } | null,
): FileKind[] =>
  ACCESS_FORMS[kind].files
    .filter(
      (file) =>
        file.required ||
        (file.kind === 'industry_letter' && LICENSED_INDUSTRIES.includes(form?.business_industry ?? 0)),
    )
    .map((file) => file.kind);
