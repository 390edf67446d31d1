import { channelRules } from '@parley/contract/channels/index.ts';

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

/** Examples for the reviewers of templates. */
const SAMPLES: Readonly<Record<string, string>> = { first_name: 'Anna', custom1: 'A-1042' };

/** The body of the new template. `sender` is the sender's code, for channels that require one. */
export function templateBody({ channel, kind, title, text }: UseCase, sender: string) {
  const { templates } = channelRules(channel);
  const base = { channel, name: templateName(title) };
  if (kind === 'code') return { ...base, text: text.replaceAll('{custom1}', '{code}') };
  if (!templates.fields.includes('wa_category')) return { ...base, text };
  return {
    ...base,
    text,
    wa_category: kind === 'marketing' ? 'MARKETING' : 'UTILITY',
    wa_sender_code: sender,
    samples: [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => SAMPLES[name!] ?? 'Example'),
  };
}

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
