import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { personName } from './person_name.ts';

interface PersonNameProps {
  conversation: Pick<Conversation, 'contact_name' | 'profile_name' | 'number'>;
  withCountry?: boolean;
}

/** The person's name, or the number if no name is known. */
export function PersonName({ conversation, withCountry = true }: PersonNameProps) {
  const name = personName(conversation);
  return name ? <bdi>{name}</bdi> : <PhoneNumber value={conversation.number} withCountry={withCountry} />;
}
