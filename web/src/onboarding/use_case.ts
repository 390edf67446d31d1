/** A sample message for an industry: channel, text, best time, and requirements. */
export type UseChannel = 'SMS' | 'WHATSAPP' | 'VIBER';
/** The kind of message determines the consent it needs. */
export type UseKind = 'service' | 'marketing' | 'code' | 'conversation';

export interface UseCase {
  channel: UseChannel;
  kind: UseKind;
  title: string;
  text: string;
  when: string;
  /** A special rule that applies to this message. */
  note?: string;
}

export const use = (
  channel: UseChannel,
  kind: UseKind,
  title: string,
  text: string,
  when: string,
  note?: string,
): UseCase => ({ channel, kind, title, text, when, ...(note ? { note } : {}) });

/** The name of a template with the text of a use case: `autumn_offer`. */
export const templateName = (title: string): string => title.toLowerCase().replace(/\W+/g, '_').replace(/^_|_$/g, '');

export const KINDS: Readonly<Record<UseKind, { label: string; consent: string }>> = {
  service: {
    label: 'Service',
    consent: 'For something the recipient ordered or agreed to. If it contains an offer, it counts as marketing.',
  },
  marketing: {
    label: 'Marketing',
    consent: 'Requires prior consent on record, your name in the text, and a working opt-out.',
  },
  code: {
    label: 'Code',
    consent: 'Send it only when the recipient requests it, and include nothing else.',
  },
  conversation: {
    label: 'Conversation',
    consent: 'Asks for a reply. Send it from a number that can receive messages, and monitor the inbox.',
  },
};
