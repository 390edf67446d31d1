import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { parsePhone } from '../../ui/data/phone.ts';
import { isolate } from '../../ui/data/text_direction.ts';

/** The contact's name, or else the name in the recipient's profile; empty if neither is known. */
export const personName = ({
  contact_name,
  profile_name,
}: Pick<Conversation, 'contact_name' | 'profile_name'>): string => contact_name || profile_name;

/** The person in a sentence: "Ann (+49 151 23456789)", or the number alone. */
export function personLabel(person: Pick<Conversation, 'contact_name' | 'profile_name' | 'number'>): string {
  const name = personName(person);
  const number = parsePhone(person.number).text;
  return name ? `${isolate(name)} (${number})` : number;
}
