/** People who get nothing from one sender: entries of the stop list that name it. Whoever is stopped for every sender is on the stop list only. */
import { Anchor, Button, TextInput } from '@mantine/core';
import { listStopList, type StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { createBlocker, removeBlocker } from '@parley/contract/senders/blockers.ts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { linkTo, STOP_LIST } from '../paths.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Senders.module.css';
import { REASON_LABELS, removalConfirmation } from './stop_list_labels.ts';

/** As many as a panel has room for; the others are one press away. */
const SHOWN = 5;

export function BlockedContacts({ id }: { id: string }) {
  const mayNot = useReason(createBlocker.needs);
  const answer = useEndpoint(listStopList, { query: { page_size: 10, filter: { sender_id: id } } });
  const rows = answer.data?.data.slice(0, SHOWN);
  const total = answer.data?.pagination.total ?? 0;
  const remove = useAction(removeBlocker, {
    invalidates: ['stop_list'],
    onSuccess: () => toast.success('They can be written to again'),
  });
  const { form, onSubmit, sending, problem } = useContractForm(createBlocker, {
    initial: { number: '' },
    input: (body) => ({ params: { id }, body }),
    invalidates: ['stop_list'],
    guard: false,
    onDone: ({ data }) => {
      toast.success(`${parsePhone(data.number).text} gets nothing from this sender any more`);
      form.setFieldValue('number', '');
      setAdded((count) => count + 1);
    },
  });
  // The emptied field is a new one: whoever goes on with the next number is in it.
  const field = useRef<HTMLInputElement>(null);
  const [added, setAdded] = useState(0);
  useEffect(() => {
    if (added > 0) field.current?.focus();
  }, [added]);
  const ask = async (entry: StopListEntry) => {
    if (await confirm(removalConfirmation(entry))) remove.mutate({ params: { id, blocker_id: entry.id } });
  };
  return (
    <section aria-labelledby="blocked-contacts">
      <h3 id="blocked-contacts" className={styles.heading}>
        Blocked contacts
      </h3>
      {answer.error ? (
        <p className={styles.problem}>{answer.error.message}</p>
      ) : rows?.length === 0 ? (
        <p className={styles.hint}>Nobody. Whoever answers STOP is blocked by itself.</p>
      ) : (
        <ul className={styles.blocked}>
          {rows?.map((entry) => (
            <li key={entry.id}>
              <span className={styles.blockedWho}>
                <PhoneNumber value={entry.number} />
                <span className={styles.hint}>{REASON_LABELS[entry.reason]}</span>
              </span>
              <Allow needs={removeBlocker.needs}>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Remove ${parsePhone(entry.number).text}`}
                  onClick={() => void ask(entry)}
                >
                  Remove
                </Button>
              </Allow>
            </li>
          ))}
        </ul>
      )}
      {total > SHOWN && (
        <Anchor component={Link} {...linkTo(STOP_LIST, { sender_id: id })} underline="always" size="sm">
          All {total.toLocaleString('en-US')} on the stop list
        </Anchor>
      )}
      <form className={styles.blocking} onSubmit={onSubmit} noValidate>
        <TextInput
          ref={field}
          label="Block a contact"
          placeholder="Number with country code"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          disabled={mayNot !== null}
          key={form.key('number')}
          {...form.getInputProps('number')}
        />
        <Allow needs={createBlocker.needs}>
          <Button type="submit" variant="default" loading={sending}>
            Block
          </Button>
        </Allow>
      </form>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
