/** The settings a user selects for an uploaded file. */
import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import type { Mapping } from './mapping.ts';

type Delimiter = NonNullable<AudienceImport['options']['delimiter']>;

export interface Choice {
  columns: Mapping;
  default_country: string | null;
  existing: AudienceImport['options']['existing'];
  tags: string[];
  /** The consent of everyone in the file; null if the file is no proof. */
  consent: AudienceImport['options']['consent'];
  has_header: boolean;
  encoding: string;
  delimiter: Delimiter | null;
}

/** The settings as the server detected or stored them. */
export function toChoice(upload: AudienceImport | null): Choice {
  const { preview, options } = upload ?? {};
  return {
    columns: options?.columns ?? {},
    default_country: options?.default_country ?? null,
    existing: options?.existing ?? 'update',
    tags: options?.tags ?? [],
    consent: options?.consent ?? null,
    has_header: preview?.has_header ?? true,
    encoding: preview?.encoding ?? 'utf-8',
    delimiter: (preview?.delimiter ?? null) as Delimiter | null,
  };
}

export const fileSettings = ({ has_header, encoding, delimiter }: Choice) => ({
  has_header,
  encoding,
  ...(delimiter ? { delimiter } : {}),
});
