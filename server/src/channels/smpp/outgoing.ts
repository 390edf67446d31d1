/**
 * Builds one submit_sm draft for each unsent part of a message. The parts are the segments that were counted and
 * priced.
 */

import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { type AddressRules, destinationFields, sourceFields } from '@parley/smpp/address.ts';
import type { SubmitDraft } from '@parley/smpp/client.ts';
import { split } from '@parley/smpp/multipart.ts';
import { wireAlphabet } from '@parley/smpp/text.ts';
import { relativeTime } from '@parley/smpp/time.ts';
import type { Outgoing } from '../channel.ts';

/** Requests a delivery receipt on success and on failure (SMPP 3.4, 5.2.17). */
const RECEIPT_REQUESTED = 1;

export interface PartDraft {
  part: number;
  draft: SubmitDraft;
}

export interface Drafts {
  /** The number of parts of the whole message, including those already sent. */
  parts: number;
  drafts: PartDraft[];
}

export const addressRules = (settings: SmppSettings): AddressRules => ({
  short_code: { ton: settings.short_code_ton, npi: settings.short_code_ton === 3 ? 0 : 1 },
});

export function buildDrafts(message: Outgoing, settings: SmppSettings): Drafts {
  const rules = addressRules(settings);
  const fields: SubmitDraft = {
    ...sourceFields(message.from, rules),
    ...destinationFields(message.to, rules),
    registered_delivery: RECEIPT_REQUESTED,
    validity_period: relativeTime(message.valid_seconds),
  };
  const bodies = buildBodies(message.text, message.reference, settings);
  const drafts: PartDraft[] = [];
  bodies.forEach((body, index) => {
    if (message.sent_parts.includes(index + 1)) return;
    const tlvs = settings.echoes_reference ? { ...body.tlvs, user_message_reference: message.reference } : body.tlvs;
    drafts.push({ part: index + 1, draft: { ...fields, ...body, ...(tlvs ? { tlvs } : {}) } });
  });
  return { parts: bodies.length, drafts };
}

export const countParts = (text: string, settings: SmppSettings): number => buildBodies(text, 0, settings).length;

function buildBodies(text: string, reference: number, { multipart, default_alphabet }: SmppSettings) {
  const { alphabet, data_coding } = wireAlphabet(text, default_alphabet);
  const options = { alphabet, data_coding, reference: multipart === 'udh8' ? reference & 0xff : reference };
  // The segment counter supports only GSM-7 and UCS-2, so texts in other alphabets are split at SMPP's part size.
  if (alphabet !== 'gsm7' && alphabet !== 'ucs2') return split(text, multipart, options);
  const counted = segment(text, {
    encoding: alphabet === 'ucs2' ? 'ucs2' : 'auto',
    reference: multipart === 'udh16' ? 16 : 8,
  });
  return split(counted.segments, multipart, options);
}
