/** The value of a template's placeholder in a campaign: a field of the contact with a default, or a fixed text. */
import { tagsIn } from '@parley/contract/channels/sms/text.ts';
import { isKnownTag, type Placeholder } from '@parley/contract/templates/placeholders.ts';

export const FIXED = 'fixed';

export interface Mapping {
  /** The name of the contact's field, or `FIXED`; empty until the user chooses. */
  source: string;
  /** The default of a field, or the fixed text. */
  text: string;
}

/** `value` is the value in the campaign. An empty value means the field with the placeholder's name. */
export function readMapping(
  value: string,
  { name, fallback }: Placeholder,
  /** The keys of the account's own fields. */
  fields: readonly string[] = [],
): Mapping {
  if (value === '') return { source: isKnownTag(name, fields) ? name : '', text: fallback ?? '' };
  const [tag] = tagsIn(value, fields);
  if (tag?.known && tag.tag === value) return { source: tag.name, text: tag.fallback };
  return { source: FIXED, text: value.trim() === '' ? '' : value };
}

export function writeMapping({ source, text }: Mapping): string {
  // A fixed text that is still empty differs from a value that was never chosen.
  if (source === FIXED) return text === '' ? ' ' : text;
  const fallback = text.replace(/[{}\n]/g, '');
  return fallback === '' ? `{${source}}` : `{${source}:${fallback}}`;
}
