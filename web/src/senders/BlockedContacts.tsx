/**
 * Contacts blocked for one sender: stop list entries that name that sender. Contacts blocked for all senders are not
 * listed.
 */
import { Anchor, Button, TextInput } from '@mantine/core';
import { listStopList, type StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { createBlocker, removeBlocker } from '@parley/contract/senders/blockers.ts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { removeWithUndo, useHiddenIds } from '../kernel/http/undo.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { linkTo, STOP_LIST } from '../paths.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Senders.module.css';
import { confirmRemoval, REASON_LABELS, removedText } from './stop_list_labels.ts';

/** The number of contacts that the panel shows. A link leads to the rest. */
const SHOWN = 5;

export function BlockedContacts({ id }: { id: string }) {
  const query = useEndpoint(listStopList, { query: { page_size: 10, filter: { sender_id: id } } });
  const hidden = useHiddenIds();
  const rows = query.data?.data.filter((row) => !hidden.has(row.id)).slice(0, SHOWN);
  const total = query.data?.pagination.total ?? 0;
  return (
    <section aria-labelledby="blocked-contacts">
      <h3 id="blocked-contacts" className={styles.heading}>
        Blocked contacts
      </h3>
      {query.error ? (
        <p className={styles.problem}>{query.error.message}</p>
      ) : rows?.length === 0 ? (
        <p className={styles.hint}>No blocked contacts. People who reply STOP are added automatically.</p>
      ) : (
        <ul className={styles.blocked}>
          {rows?.map((entry) => (
            <BlockedContact key={entry.id} id={id} entry={entry} />
          ))}
        </ul>
      )}
      {total > SHOWN && (
        <Anchor component={Link} {...linkTo(STOP_LIST, { sender_id: id })} underline="always" size="sm">
          View all {total.toLocaleString('en-US')} on the stop list
        </Anchor>
      )}
      <BlockForm id={id} />
    </section>
  );
}

function BlockedContact({ id, entry }: { id: string; entry: StopListEntry }) {
  const remove = async () => {
    if (!(await confirmRemoval(entry))) return;
    removeWithUndo({
      id: entry.id,
      endpoint: removeBlocker,
      input: { params: { id, blocker_id: entry.id } },
      message: removedText(entry),
      invalidates: ['stop_list'],
    });
  };
  return (
    <li>
      <span className={styles.blockedContact}>
        <PhoneNumber value={entry.number} />
        <span className={styles.hint}>{REASON_LABELS[entry.reason]}</span>
      </span>
      <Allow needs={removeBlocker.needs}>
        <Button
          variant="default"
          size="xs"
          aria-label={`Remove ${parsePhone(entry.number).text}`}
          onClick={() => void remove()}
        >
          Remove
        </Button>
      </Allow>
    </li>
  );
}

function BlockForm({ id }: { id: string }) {
  const reason = useReason(createBlocker.needs);
  const { form, bind, sending, problem } = useContractForm(createBlocker, {
    initial: { number: '' },
    input: (body) => ({ params: { id }, body }),
    invalidates: ['stop_list'],
    guard: false,
    onDone: ({ data }) => {
      toast.success(`${parsePhone(data.number).text} is blocked for this sender`);
      form.setFieldValue('number', '');
      setAdded((count) => count + 1);
    },
  });
  // Clearing the field creates a new element, which must be focused for the next number.
  const field = useRef<HTMLInputElement>(null);
  const [added, setAdded] = useState(0);
  useEffect(() => {
    if (added > 0) field.current?.focus();
  }, [added]);
  return (
    <>
      <Form {...bind} className={styles.blocking}>
        <Field
          form={form}
          name="number"
          as={TextInput}
          ref={field}
          label="Block a contact"
          placeholder="Number with country code"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          disabled={reason !== null}
        />
        <Allow needs={createBlocker.needs}>
          <Button type="submit" variant="default" loading={sending}>
            Block
          </Button>
        </Allow>
      </Form>
      <FormProblem>{problem}</FormProblem>
    </>
  );
}
