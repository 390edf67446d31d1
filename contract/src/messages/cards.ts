/** Cards: locations, contacts, and lists, which messages can have instead of a file and buttons. */
import { z } from 'zod';

export const CARD_TYPES = ['location', 'contacts', 'list'] as const;
export type CardType = (typeof CARD_TYPES)[number];

export const Place = z.object({
  latitude: z.number(),
  longitude: z.number(),
  name: z.string().nullable(),
  address: z.string().nullable(),
});
export type Place = z.output<typeof Place>;

export const ContactCard = z.object({ name: z.string(), phones: z.array(z.string()), emails: z.array(z.string()) });
export type ContactCard = z.output<typeof ContactCard>;

/** A button that opens a list of choices. The recipient answers with one of them. */
export const ChoiceList = z.object({
  button: z.string(),
  rows: z.array(z.object({ text: z.string(), description: z.string().nullable(), value: z.string() })),
});
export type ChoiceList = z.output<typeof ChoiceList>;

export interface Cards {
  readonly location: Place | null;
  readonly contacts: readonly ContactCard[] | null;
  readonly list: ChoiceList | null;
}

/** The card fields of a message in a request. The schema is loose: the channel's rules report invalid input. */
export const cardFields = {
  location: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.string().trim().max(4_000).nullish(),
      address: z.string().trim().max(4_000).nullish(),
    })
    .nullish(),
  /** Contact cards of other people or companies. */
  contacts: z
    .array(
      z.object({
        name: z.string().trim().max(4_000),
        phones: z.array(z.string().trim().max(4_000)).max(50).nullish(),
        emails: z.array(z.string().trim().max(4_000)).max(50).nullish(),
      }),
    )
    .max(50)
    .nullish(),
  /** A list of choices. An omitted `value` is the text of the row. */
  list: z
    .object({
      button: z.string().trim().max(4_000),
      rows: z
        .array(
          z.object({
            text: z.string().trim().max(4_000),
            description: z.string().trim().max(4_000).nullish(),
            value: z.string().trim().max(4_000).nullish(),
          }),
        )
        .max(50),
    })
    .nullish(),
};
const CardInput = z.object(cardFields);
export type CardInput = z.output<typeof CardInput>;

/** Reads the cards of a request. Empty lists and texts count as omitted. */
export function readCards({ location, contacts, list }: CardInput): Cards {
  return {
    location: location ? { ...location, name: location.name || null, address: location.address || null } : null,
    contacts:
      contacts && contacts.length > 0
        ? contacts.map(({ name, phones, emails }) => ({
            name,
            phones: (phones ?? []).filter((phone) => phone !== ''),
            emails: (emails ?? []).filter((email) => email !== ''),
          }))
        : null,
    list: list
      ? {
          button: list.button,
          rows: list.rows.map(({ text, description, value }) => ({
            text,
            description: description || null,
            value: value || text,
          })),
        }
      : null,
  };
}

/** The type of a message by its card; null without a card. */
export const cardType = (cards: Partial<Record<CardType, unknown>> | null): CardType | null =>
  CARD_TYPES.find((type) => cards?.[type] !== null && cards?.[type] !== undefined) ?? null;

/** The address of a map that shows a place. */
export const mapUrl = ({ latitude, longitude }: Pick<Place, 'latitude' | 'longitude'>): string =>
  `https://www.google.com/maps?q=${latitude},${longitude}`;

/** The text of a location in lists, searches, and exports. */
export function placeText(place: Place): string {
  const label = [place.name, place.address].filter((line) => line).join(', ');
  return `Location: ${[label, mapUrl(place)].filter((line) => line !== '').join('\n')}`;
}

/** The text of contact cards in lists, searches, and exports. */
export const contactsText = (contacts: readonly ContactCard[]): string =>
  contacts
    .map(({ name, phones, emails }) => `Contact: ${[name, ...phones, ...emails].filter((part) => part).join(', ')}`)
    .join('\n');
