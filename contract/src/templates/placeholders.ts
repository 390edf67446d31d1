/** Placeholders of a text: `{tag}`, or `{tag:fallback}`. */
import { tagsIn, VARIABLES } from '../channels/sms/text.ts';

export interface Placeholder {
  name: string;
  /** As written, with braces, and its position. */
  tag: string;
  index: number;
  /** What is sent when there is no value; null when the placeholder has none. */
  fallback: string | null;
}

/** Every placeholder in the order written; one that is written twice is two. */
export const findPlaceholders = (text: string): Placeholder[] =>
  tagsIn(text).map(({ name, tag, index, fallback }) => ({
    name,
    tag,
    index,
    fallback: tag.includes(':') ? fallback : null,
  }));

/** A field of a contact, or the opt-out text: filled in for each recipient. */
export const isKnownTag = (name: string): boolean => (VARIABLES as readonly string[]).includes(name);
