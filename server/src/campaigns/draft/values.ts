/** Fills in a text's variables for one contact. */
import type { Variable } from '@parley/contract/channels/sms/text.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { Contact } from '../model/queries.ts';

const OPT_OUT = 'Reply STOP to opt out';

/** The opt-out text is empty for a sender that cannot receive replies. The preview warns about it. */
export const variableValues = (contact: Contact, sender: Pick<Sender, 'two_way'> | null): Record<Variable, string> => ({
  first_name: contact.first_name,
  last_name: contact.last_name,
  custom1: contact.custom1,
  custom2: contact.custom2,
  sms_opt_out: sender && !sender.two_way ? '' : OPT_OUT,
});
