/** Placeholders of a text: `{tag}`, or `{tag:fallback}`. */
import { tagsIn, VARIABLES } from '../channels/sms/text.ts';

export interface Placeholder {
  name: string;
  /** As written, with braces, and its position. */
  tag: string;
  index: number;
  /** The text if there is no value; null if the placeholder has no fallback. */
  fallback: string | null;
}

/** All placeholders in order, repeated ones included. */
export const findPlaceholders = (text: string): Placeholder[] =>
  tagsIn(text).map(({ name, tag, index, fallback }) => ({
    name,
    tag,
    index,
    fallback: tag.includes(':') ? fallback : null,
  }));

/** Whether a tag is a field of a contact or the opt-out text, which are filled for each recipient. */
export const isKnownTag = (name: string): boolean => (VARIABLES as readonly string[]).includes(name);
