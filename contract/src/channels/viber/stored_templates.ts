/** Transactional templates that Viber stores: a message has their ID, language, and values. */
import type { ProblemName } from '../../problem.ts';
import type { FillableTemplate } from '../../templates/draft.ts';
import { findPlaceholders } from '../../templates/placeholders.ts';

/** The placeholders of a one-time password: Viber's own name, and the name that verifications fill. */
const CODE_TAGS: readonly string[] = ['pin', 'code'];

export function refuseStored(
  template: Pick<FillableTemplate, 'type' | 'text' | 'external_id' | 'external_language'>,
  values: readonly string[],
): ProblemName | null {
  const { type, text, external_id, external_language } = template;
  if (type !== 'text' || text.trim() === '') return 'VIBER_TEMPLATE_DATA_REQUIRED';
  if (!external_id) return 'VIBER_TEMPLATE_PROVIDER_ID_REQUIRED';
  if (!external_language) return 'VIBER_TEMPLATE_LANGUAGE_REQUIRED';
  const isEmptyCode = findPlaceholders(text).some(
    ({ name }, at) => CODE_TAGS.includes(name) && (values[at] ?? '').trim() === '',
  );
  return isEmptyCode ? 'ONE_TIME_PASSWORD_REQUIRED' : null;
}

/** A template that Viber stores carries a code only if it has a placeholder for one. */
export const refuseCodeTemplate = ({
  text,
  external_id,
}: Pick<FillableTemplate, 'text' | 'external_id'>): ProblemName | null =>
  external_id && !findPlaceholders(text).some(({ name }) => CODE_TAGS.includes(name))
    ? 'VIBER_TEMPLATE_NOT_ONE_TIME_PASSWORD'
    : null;
