/** Spaces, and characters that nothing is drawn for, such as zero-width spaces and marks of the writing direction. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]+$/u;

/** Shown in place of a text that would look like an empty message. */
export const NO_VISIBLE_TEXT = 'No visible characters';

export const isInvisible = (text: string): boolean => INVISIBLE.test(text);
