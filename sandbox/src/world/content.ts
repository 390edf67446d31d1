/** The content of a chat message. WhatsApp and Viber share one format, so that a phone shows both by the same rules. */

export interface Media {
  /** The URL on this sandbox (`/files/...`), regardless of the link that the file came from. */
  url: string;
  mime: string;
  file_name: string | null;
  size: number;
}

export interface Button {
  type: 'quick_reply' | 'url' | 'phone_call' | 'copy_code';
  text: string;
  /** The URL, number, or code. For a quick reply, the value that the business gets when the button is pressed. */
  value: string;
  /** The line below the title of a list row. */
  description?: string;
}

export interface Place {
  latitude: number;
  longitude: number;
  name?: string;
  address?: string;
}

export interface ContactCard {
  name: string;
  phones: string[];
  emails: string[];
}

type ContentKind =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'sticker'
  | 'location'
  | 'contacts'
  | 'template'
  | 'interactive'
  | 'button'
  | 'reaction'
  | 'unsupported';

export interface Content {
  kind: ContentKind;
  /** The body of a text, template or interactive message, the emoji of a reaction, or the title of a pressed button. */
  text?: string;
  caption?: string;
  media?: Media;
  buttons?: Button[];
  /** The label of the button that opens a list. */
  list_title?: string;
  header?: string;
  footer?: string;
  location?: Place;
  contacts?: ContactCard[];
  template?: { name: string; language: string; category: string };
  /** The cards in a carousel. */
  cards?: { text: string; media?: Media; buttons: Button[] }[];
}

const kindNames: Partial<Record<ContentKind, string>> = {
  image: 'Photo',
  video: 'Video',
  audio: 'Voice message',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Location',
  contacts: 'Contact',
  unsupported: 'Unsupported message',
};

/** Returns the content as one line of text, for lists and searches. */
export function contentText({ kind, text, caption, media, location, contacts, header }: Content): string {
  if (text) return text;
  return (
    caption ||
    location?.name ||
    contacts?.map(({ name }) => name).join(', ') ||
    header ||
    (kind === 'document' && media?.file_name) ||
    kindNames[kind] ||
    ''
  );
}
