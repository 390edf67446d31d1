/** What the variables of a text stand for, for one person. */
import type { Variable } from '@parley/contract/channels/sms/text.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { Contact } from '../model/queries.ts';

export const OPT_OUT = 'Reply STOP to opt out';

/** Nobody can answer a name, so it has no way out to offer; the preview warns about that. */
export const variableValues = (person: Contact, sender: Pick<Sender, 'two_way'> | null): Record<Variable, string> => ({
  first_name: person.first_name,
  last_name: person.last_name,
  custom1: person.custom1,
  custom2: person.custom2,
  sms_opt_out: sender && !sender.two_way ? '' : OPT_OUT,
});
