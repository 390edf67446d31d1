import { Button } from '@mantine/core';
import { createPerson } from '@parley/contract/audiences/people.ts';
import type { ContactCard } from '@parley/contract/messages/cards.ts';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';

/** Adds the first phone number of a contact card to people. */
export function AddPerson({ contact }: { contact: ContactCard }) {
  const [number] = contact.phones;
  const [first_name = '', ...others] = contact.name.split(/\s+/);
  const add = useAction(createPerson, {
    onSuccess: () => toast.success(`${contact.name || number} was added to people`),
  });
  if (!number) return null;
  const body = { number, first_name: first_name.slice(0, 32), last_name: others.join(' ').slice(0, 32) };
  return (
    <Allow needs={createPerson.needs}>
      <Button size="compact-xs" variant="default" loading={add.isPending} onClick={() => add.mutate({ body })}>
        Add to people
      </Button>
    </Allow>
  );
}
