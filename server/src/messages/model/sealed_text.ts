/**
 * Texts that contain a verification code. The message stores the text with the code masked, because operators read the
 * log. The queue row stores the sealed text, and it is deleted once the carrier has the message.
 */
import type { Seals } from '../../kernel/security/seal.ts';

/** Stars are in the GSM alphabet, so the masked text has as many segments as the real one. */
export const maskCode = (text: string, code: string): string => text.replaceAll(code, '*'.repeat(code.length));

const place = (message_id: string) => ({ table: 'dispatch', row: message_id });

export const sealText = (seals: Seals, message_id: string, text: string): string => seals.seal(text, place(message_id));

interface StoredText {
  message_id: string;
  text: string;
  sealed_text: string | null;
}

/** Throws if the text was sealed with another key. */
export const readText = (seals: Seals, { message_id, text, sealed_text }: StoredText): string =>
  sealed_text === null ? text : seals.open(sealed_text, place(message_id));
