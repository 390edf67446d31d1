/** The fields of the dialogs that send a location, a contact, or a list, as texts. */
import type { CardType } from '@parley/contract/messages/cards.ts';
import type { ReplyBody } from '../compose/reply_body.ts';
import type { FieldFinding } from '../field_errors.ts';

export interface CardDraft {
  /** The text of a list. */
  text: string;
  place_name: string;
  address: string;
  /** Latitude and longitude, as maps copy them. */
  point: string;
  contact_name: string;
  phone: string;
  email: string;
  button: string;
  rows: readonly { text: string; description: string }[];
}

export const EMPTY_CARDS: CardDraft = {
  ...{ text: '', place_name: '', address: '', point: '', contact_name: '', phone: '', email: '', button: '' },
  rows: [{ text: '', description: '' }],
};

const POINT = /^\(?\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*\)?$/;

/** Reads `51.5, -0.12`, also from the address of a map. */
export function readPoint(text: string): { latitude: number; longitude: number } | null {
  const written = /[@=](-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?)/.exec(text)?.[1] ?? text.trim();
  const parts = POINT.exec(written);
  return parts ? { latitude: Number(parts[1]), longitude: Number(parts[2]) } : null;
}

/** The request, and the entries that cannot be read. */
export function toBody(type: CardType, draft: CardDraft): { body: ReplyBody; problems: FieldFinding[] } {
  const { text, point, button, rows } = draft;
  if (type === 'location') {
    const place = readPoint(point);
    const names = { name: draft.place_name.trim() || null, address: draft.address.trim() || null };
    return {
      body: { type, text: '', location: { latitude: 0, longitude: 0, ...place, ...names } },
      problems: place ? [] : [{ field: 'location', message: 'Enter the latitude and longitude, such as 51.5, -0.12' }],
    };
  }
  if (type === 'contacts') {
    const phones = [draft.phone.trim()].filter((phone) => phone !== '');
    const emails = [draft.email.trim()].filter((email) => email !== '');
    return { body: { type, text: '', contacts: [{ name: draft.contact_name.trim(), phones, emails }] }, problems: [] };
  }
  const choices = rows.map((row) => ({ text: row.text.trim(), description: row.description.trim() || null }));
  return { body: { type, text: text.trim(), list: { button: button.trim(), rows: choices } }, problems: [] };
}
