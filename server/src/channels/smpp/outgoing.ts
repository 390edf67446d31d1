/**
 * A message as submit_sm: one draft for each part that is still to be sent. The parts are the ones that the counter and
 * the price use.
 */

import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { type AddressRules, destinationFields, sourceFields } from '@parley/smpp/address.ts';
import type { SubmitDraft } from '@parley/smpp/client.ts';
import { split } from '@parley/smpp/multipart.ts';
import { wireAlphabet } from '@parley/smpp/text.ts';
import { relativeTime } from '@parley/smpp/time.ts';
import type { Outgoing } from '../channel.ts';

/** Requests a delivery receipt for success and failure (SMPP 3.4, 5.2.17). */
const RECEIPT_ASKED = 1;

export interface PartDraft {
  part: number;
  draft: SubmitDraft;
}

export interface Drafts {
  /** The number of parts of the whole message, those sent before included. */
  parts: number;
  drafts: PartDraft[];
}

export const addressRules = (settings: SmppSettings): AddressRules => ({
  short_code: { ton: settings.short_code_ton, npi: settings.short_code_ton === 3 ? 0 : 1 },
});

export function draftsOf(message: Outgoing, settings: SmppSettings): Drafts {
  const rules = addressRules(settings);
  const fields: SubmitDraft = {
    ...sourceFields(message.from, rules),
    ...destinationFields(message.to, rules),
    registered_delivery: RECEIPT_ASKED,
    validity_period: relativeTime(message.valid_seconds),
  };
  const bodies = bodiesOf(message.text, message.reference, settings);
  const drafts: PartDraft[] = [];
  bodies.forEach((body, index) => {
    if (message.sent_parts.includes(index + 1)) return;
    const tlvs = settings.echoes_reference ? { ...body.tlvs, user_message_reference: message.reference } : body.tlvs;
    drafts.push({ part: index + 1, draft: { ...fields, ...body, ...(tlvs ? { tlvs } : {}) } });
  });
  return { parts: bodies.length, drafts };
}

export const partsOf = (text: string, settings: SmppSettings): number => bodiesOf(text, 0, settings).length;

function bodiesOf(text: string, reference: number, { multipart, default_alphabet }: SmppSettings) {
  const { alphabet, data_coding } = wireAlphabet(text, default_alphabet);
  const options = { alphabet, data_coding, reference: multipart === 'udh8' ? reference & 0xff : reference };
  // Other alphabets have other capacities, so the carrier's own limits apply.
  if (alphabet !== 'gsm7' && alphabet !== 'ucs2') return split(text, multipart, options);
  const counted = segment(text, {
    encoding: alphabet === 'ucs2' ? 'ucs2' : 'auto',
    reference: multipart === 'udh16' ? 16 : 8,
  });
  return split(counted.segments, multipart, options);
}
