/** A message as a company of some industry sends it: on which channel, when it is welcome, and what has to be in place. */
export type UseChannel = 'SMS' | 'WHATSAPP' | 'VIBER';
/** What kind of message it is decides what consent it needs. */
export type UseKind = 'service' | 'marketing' | 'code' | 'conversation';

export interface UseCase {
  channel: UseChannel;
  kind: UseKind;
  title: string;
  text: string;
  when: string;
  /** What is particular about it. */
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

export const KINDS: Readonly<Record<UseKind, { label: string; consent: string }>> = {
  service: {
    label: 'Service',
    consent:
      'Belongs to something the person has ordered or agreed to. Keep offers out of it, or it becomes marketing.',
  },
  marketing: {
    label: 'Marketing',
    consent: 'Needs consent given beforehand and kept on record, your name in the text, and a way out that works.',
  },
  code: {
    label: 'Code',
    consent: 'Sent because the person is asking for it at this moment. Nothing else belongs in it.',
  },
  conversation: {
    label: 'Conversation',
    consent: 'Asks for an answer: send it from a number that can receive, and have somebody read the inbox.',
  },
};
