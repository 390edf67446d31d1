/**
 * Messages that contain a verification code. The message and its fallback steps are stored with the code masked,
 * because operators read the log. The real text and content are sealed in the queue row, which is deleted once the
 * carrier has the message, and in the fallback plan, until no step can follow.
 */
import type { Content } from '@parley/contract/messages/content.ts';
import type { Seals } from '../../kernel/security/seal.ts';

/** Stars are in the GSM alphabet, so the masked text has as many segments as the real one. */
export const maskCode = (text: string, code: string): string => text.replaceAll(code, '*'.repeat(code.length));

/** Masks the code in the parts of a content that are filled with values. */
export function maskContent(content: Content | null, code: string): Content | null {
  if (content === null) return null;
  const mask = (text: string) => maskCode(text, code);
  const { header, template } = content;
  return {
    ...content,
    header: header && mask(header),
    template: template && {
      ...template,
      header_values: template.header_values.map(mask),
      body_values: template.body_values.map(mask),
    },
  };
}

const queuePlace = (message_id: string) => ({ table: 'dispatch', row: message_id });
const planPlace = (message_id: string) => ({ table: 'fallbacks', row: message_id });

export const sealText = (seals: Seals, message_id: string, text: string): string =>
  seals.seal(text, queuePlace(message_id));

export const sealContent = (seals: Seals, message_id: string, content: Content | null): string | null =>
  content && seals.seal(JSON.stringify(content), queuePlace(message_id));

interface StoredText {
  message_id: string;
  text: string;
  sealed_text: string | null;
}

/** Throws if the text was sealed with another key. */
export const readText = (seals: Seals, { message_id, text, sealed_text }: StoredText): string =>
  sealed_text === null ? text : seals.open(sealed_text, queuePlace(message_id));

interface StoredContent {
  message_id: string;
  content: Content | null;
  sealed_content: string | null;
}

/** The purpose is decided when the message is accepted, so it is not sealed. Throws like `readText`. */
export function readContent(seals: Seals, { message_id, content, sealed_content }: StoredContent): Content | null {
  if (sealed_content === null) return content;
  const opened = JSON.parse(seals.open(sealed_content, queuePlace(message_id))) as Content;
  return { ...opened, purpose: content?.purpose ?? opened.purpose };
}

interface StepText {
  readonly text: string;
  readonly content: Content | null;
}

export const sealSteps = (seals: Seals, message_id: string, steps: readonly StepText[]): string =>
  seals.seal(JSON.stringify(steps.map(({ text, content }) => ({ text, content }))), planPlace(message_id));

/** Returns the sealed columns of the queue row of one step. Throws like `readText`. */
export function openStep(
  seals: Seals,
  { message_id, sealed_steps }: { message_id: string; sealed_steps: string | null },
  index: number,
): { sealed_text: string | null; sealed_content: string | null } {
  if (sealed_steps === null) return { sealed_text: null, sealed_content: null };
  const steps = JSON.parse(seals.open(sealed_steps, planPlace(message_id))) as StepText[];
  const { text, content } = steps[index]!;
  return { sealed_text: sealText(seals, message_id, text), sealed_content: sealContent(seals, message_id, content) };
}
