/** Placeholders in a text: `{tag}`, or `{tag:fallback}`. */
import { tagsIn, VARIABLES } from '../channels/sms/text.ts';

export interface Placeholder {
  name: string;
  /** The placeholder as written, with braces. `index` is its position. */
  tag: string;
  index: number;
  /** The text used if there is no value; null if the placeholder has no fallback. */
  fallback: string | null;
}

/** Returns all placeholders in order, including repeated ones. */
export const findPlaceholders = (text: string): Placeholder[] =>
  tagsIn(text).map(({ name, tag, index, fallback }) => ({
    name,
    tag,
    index,
    fallback: tag.includes(':') ? fallback : null,
  }));

/**
 * Whether a tag is a field of a contact or the opt-out text, which are filled for each recipient. `fields` are the keys
 * of the account's own fields.
 */
export const isKnownTag = (name: string, fields: readonly string[] = []): boolean =>
  (VARIABLES as readonly string[]).includes(name) || fields.includes(name);
