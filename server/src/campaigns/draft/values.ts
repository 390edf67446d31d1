/** Fills in a text's variables for one contact. */
import { fieldText } from '@parley/contract/audiences/field_values.ts';
import { OPT_OUT_REPLY, optOutText, SAMPLE_CODE } from '@parley/contract/links/inline.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { Contact } from '../model/reach.ts';

/** Stays in the text for the gate, which gives each recipient a link to opt out. */
export const OPT_OUT_TAG = '{sms_opt_out}';

/** The opt-out text as long as the gate's, for previews and prices. */
export const sampleOptOut = (sender: Pick<Sender, 'two_way'> | null, link_prefix: string): string =>
  sender && !sender.two_way ? optOutText(`${link_prefix}/${SAMPLE_CODE}`) : OPT_OUT_REPLY;

/** `fields` are the keys of the account's own fields. */
export const variableValues = (
  contact: Contact,
  sms_opt_out: string,
  fields: readonly string[],
): Record<string, string> => ({
  ...Object.fromEntries(fields.map((key) => [key, fieldText(contact.fields[key])])),
  first_name: contact.first_name,
  last_name: contact.last_name,
  custom1: contact.custom1,
  custom2: contact.custom2,
  sms_opt_out,
});
