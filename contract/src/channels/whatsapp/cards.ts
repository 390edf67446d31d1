/** Limits of locations, contacts, and lists on WhatsApp. */
import type { Cards, ChoiceList, ContactCard, Place } from '../../messages/cards.ts';
import type { MessageDraft } from '../../messages/draft.ts';
import { type Finding, finding } from '../../templates/draft.ts';
import { textLength } from '../../text_length.ts';

const MAX = { place: 300, contacts: 5, phones: 5, emails: 5, contact: 100, rows: 10, button: 20 } as const;
const ROW = { text: 24, description: 72, value: 200 } as const;

/** A message has one card, and nothing beside it. Only a list has a text. */
export function cardFindings(draft: MessageDraft & { cards: Cards }): Finding[] {
  const { location, contacts, list } = draft.cards;
  const findings: Finding[] = [];
  const refuse = (field: string, message: string) => findings.push(finding('CARD_INVALID', field, message));
  if ([location, contacts, list].filter((card) => card !== null).length > 1)
    refuse('type', 'A message can have a location, contacts, or a list, and only one of them');
  if (draft.media_id !== null || draft.url !== null || draft.buttons.length > 0)
    refuse('type', 'Locations, contacts, and lists cannot have a file or buttons');
  if (location) findings.push(...placeFindings(location));
  if (contacts) findings.push(...contactFindings(contacts));
  if (list) findings.push(...listFindings(list, draft.text));
  return findings;
}

function placeFindings({ latitude, longitude, name, address }: Place): Finding[] {
  const isPoint = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const texts = [name, address].filter((text) => textLength(text ?? '') > MAX.place);
  return [
    ...(isPoint
      ? []
      : [finding('CARD_INVALID', 'location', 'The latitude is at most 90 degrees, and the longitude at most 180')]),
    ...texts.map(() =>
      finding('CARD_INVALID', 'location', `A name and an address can have at most ${MAX.place} characters`),
    ),
  ];
}

function contactFindings(contacts: readonly ContactCard[]): Finding[] {
  const findings: Finding[] = [];
  const refuse = (message: string) => findings.push(finding('CARD_INVALID', 'contacts', message));
  if (contacts.length > MAX.contacts) refuse(`A message can have at most ${MAX.contacts} contacts`);
  for (const { name, phones, emails } of contacts) {
    if (name === '') refuse('A contact needs a name');
    if (phones.length + emails.length === 0) refuse('A contact needs a phone number or an email address');
    if (phones.length > MAX.phones || emails.length > MAX.emails)
      refuse(`A contact can have at most ${MAX.phones} phone numbers and ${MAX.emails} email addresses`);
    if ([name, ...phones, ...emails].some((text) => textLength(text) > MAX.contact))
      refuse(`Each field of a contact can have at most ${MAX.contact} characters`);
    if (phones.some((phone) => !/^\+?[\d\s().-]{3,30}$/.test(phone)))
      refuse('A phone number can contain only a plus, digits, spaces, parentheses, and hyphens');
    if (emails.some((email) => !/^[^\s@]+@[^\s@]+$/.test(email))) refuse('An email address is not valid');
  }
  return findings;
}

function listFindings({ button, rows }: ChoiceList, text: string): Finding[] {
  const findings: Finding[] = [];
  const refuse = (message: string) => findings.push(finding('CARD_INVALID', 'list', message));
  if (text.trim() === '') findings.push(finding('MESSAGE_TEXT_REQUIRED', 'text', 'A list needs text'));
  if (button === '' || textLength(button) > MAX.button)
    refuse(`The button of a list needs a text of at most ${MAX.button} characters`);
  if (rows.length === 0 || rows.length > MAX.rows) refuse(`A list has 1 to ${MAX.rows} choices`);
  if (rows.some((row) => row.text === '' || textLength(row.text) > ROW.text))
    refuse(`A choice needs a text of at most ${ROW.text} characters`);
  if (rows.some(({ description }) => textLength(description ?? '') > ROW.description))
    refuse(`The description of a choice can have at most ${ROW.description} characters`);
  if (rows.some(({ value }) => textLength(value) > ROW.value))
    refuse(`The value of a choice can have at most ${ROW.value} characters`);
  if (new Set(rows.map(({ value }) => value)).size < rows.length) refuse('Each choice needs a different text or value');
  return findings;
}
