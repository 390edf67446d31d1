/**
 * Builds one submit_sm draft for each unsent part of a message. The parts are the segments that were counted and
 * priced.
 */

import { segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { type AddressRules, destinationFields, sourceFields } from '@parley/smpp/address.ts';
import type { SubmitDraft } from '@parley/smpp/client.ts';
import { split } from '@parley/smpp/multipart.ts';
import { DATA_CODING } from '@parley/smpp/text.ts';
import { absoluteTime, relativeTime } from '@parley/smpp/time.ts';
import type { Outgoing } from '../channel.ts';

/** Requests a delivery receipt on success and on failure (SMPP 3.4, 5.2.17). */
const RECEIPT_REQUESTED = 1;

export interface PartDraft {
  part: number;
  draft: SubmitDraft;
  /** The text of the part. */
  text: string;
}

export interface Drafts {
  /** The number of parts of the whole message, including those already sent. */
  parts: number;
  /** The number of segments on the phone. The carrier divides a single payload itself. */
  segments: number;
  drafts: PartDraft[];
}

const PREFIX = { none: '', plus: '+', zeros: '00' } as const;

const senderRules = (settings: SmppSettings): AddressRules => ({
  international: { ton: settings.number_ton, npi: settings.number_npi },
  short_code: { ton: settings.short_code_ton, npi: settings.short_code_npi },
  alphanumeric: { ton: settings.name_ton, npi: settings.name_npi },
  prefix: PREFIX[settings.sender_prefix],
});

/** Recipients are phone numbers, however short. */
const recipientRules = (settings: SmppSettings): AddressRules => ({
  international: { ton: settings.recipient_ton, npi: settings.recipient_npi },
  short_code_digits: 0,
  prefix: PREFIX[settings.recipient_prefix],
});

export function buildDrafts(message: Outgoing, settings: SmppSettings, now = new Date()): Drafts {
  const fields: SubmitDraft = {
    ...(settings.service_type === '' ? {} : { service_type: settings.service_type }),
    ...sourceFields(message.from, senderRules(settings)),
    ...destinationFields(message.to, recipientRules(settings)),
    registered_delivery: RECEIPT_REQUESTED,
    ...validityFields(message.valid_seconds, settings, now),
  };
  const { bodies, texts, segments } = buildBodies(message.text, message.reference, settings);
  const drafts: PartDraft[] = [];
  bodies.forEach((body, index) => {
    if (message.sent_parts.includes(index + 1)) return;
    const tlvs = settings.echoes_reference ? { ...body.tlvs, user_message_reference: message.reference } : body.tlvs;
    const text = bodies.length === 1 ? message.text : texts[index]!;
    drafts.push({ part: index + 1, draft: { ...fields, ...body, ...(tlvs ? { tlvs } : {}) }, text });
  });
  return { parts: bodies.length, segments, drafts };
}

function validityFields(seconds: number, { validity }: SmppSettings, now: Date): SubmitDraft {
  if (validity === 'none') return {};
  if (validity === 'relative') return { validity_period: relativeTime(seconds) };
  return { validity_period: absoluteTime(new Date(now.getTime() + seconds * 1_000)) };
}

export const countParts = (text: string, settings: SmppSettings): number =>
  buildBodies(text, 0, settings).bodies.length;

/** Divides the text into the counted and priced segments. The carrier divides only a single payload. */
function buildBodies(text: string, reference: number, settings: SmppSettings) {
  const { multipart, default_alphabet, segment_capacity } = settings;
  const { encoding, segments } = segment(text, segmentOptions(settings));
  const alphabet = encoding === 'UCS-2' ? 'ucs2' : default_alphabet;
  const bodies = split(segments, multipart, {
    alphabet,
    data_coding: alphabet === 'ucs2' ? DATA_CODING.ucs2 : 0,
    packed: segment_capacity === '160',
    reference: multipart === 'udh8' ? reference & 0xff : reference,
  });
  return { bodies, texts: segments, segments: segments.length };
}
