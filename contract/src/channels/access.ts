/** The registry of access forms. */
import type { AccessFile, FileKind } from '../registrations/access_files.ts';
import type { AccessForm } from './access_form.ts';
import type { AccessKind } from './access_kinds.ts';
import { viber } from './viber/access.ts';
import { whatsapp } from './whatsapp/access.ts';

export const ACCESS_FORMS = { whatsapp, viber } as const satisfies Readonly<Record<AccessKind, AccessForm>>;

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
