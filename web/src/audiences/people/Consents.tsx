/** A person's consents: the state on a day, and every entry. */
import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core';
import {
  type ConsentState,
  createConsent,
  getConsentState,
  listConsents,
} from '@parley/contract/audiences/consents.ts';
import type { Person } from '@parley/contract/audiences/people.ts';
import { CONSENT_PURPOSES } from '@parley/contract/audiences/purposes.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { useState } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { fromLocal, toWire } from '../../ui/controls/local_time.ts';
import { ToneBadge } from '../../ui/data/StatusBadge.tsx';
import { Timeline } from '../../ui/data/Timeline.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import styles from '../Audiences.module.css';
import { CONSENT_STATES, consentEntry, PURPOSE_LABELS } from './consent_words.tsx';

export function Consents({ person }: { person: Person }) {
  const zone = useZone();
  const [date, setDate] = useState('');
  const [isAdding, setAdding] = useState(false);
  const params = { id: person.id };
  const state = useEndpoint(getConsentState, { params, query: date === '' ? {} : { date } }, { keepPrevious: true });
  const history = useEndpoint(listConsents, { params, query: { page_size: 100 } });
  return (
    <section aria-labelledby="person-consents">
      <div className={styles.sectionHead}>
        <h2 id="person-consents" className={styles.rowsTitle}>
          Consent
        </h2>
        <Allow needs={createConsent.needs}>
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            Record consent
          </Button>
        </Allow>
      </div>
      <DateField
        label="State at the end of"
        description="In the account’s time zone. Leave empty to use the current time."
        onChange={(day) => setDate(endOfDay(day, zone))}
      />
      {state.data ? <States states={state.data.data.states} /> : <SkeletonLines lines={3} />}
      <h3 className={styles.historyTitle}>History</h3>
      {history.error ? (
        <ErrorState title="The consents could not be loaded" onRetry={() => void history.refetch()}>
          {history.error.message}
        </ErrorState>
      ) : !history.data ? (
        <SkeletonLines lines={3} />
      ) : history.data.data.length === 0 ? (
        <p className={styles.cutNote}>No consents yet. Record one, import it, or wait for a reply such as STOP.</p>
      ) : (
        <Timeline label="Consent history" entries={history.data.data.map(consentEntry)} />
      )}
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Record consent">
        <ConsentForm person={person} onDone={() => setAdding(false)} />
      </Modal>
    </section>
  );
}

/** The last second of a day in the zone, for the API; empty if the text is not a day. */
function endOfDay(day: string, zone: string): string {
  const minute = fromLocal(`${day}T23:59`, zone);
  return minute ? toWire(new Date(minute.getTime() + 59_000)) : '';
}

const States = ({ states }: { states: readonly ConsentState[] }) => (
  <table className={styles.states}>
    <thead>
      <tr>
        <th scope="col">Channel</th>
        {CONSENT_PURPOSES.map((purpose) => (
          <th key={purpose} scope="col">
            {PURPOSE_LABELS[purpose]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {CHANNELS.map((channel) => (
        <tr key={channel}>
          <th scope="row">{channelLabel(channel)}</th>
          {CONSENT_PURPOSES.map((purpose) => {
            const found = states.find((one) => one.channel === channel && one.purpose === purpose);
            const { label, tone } = CONSENT_STATES[found?.state ?? 'none'];
            return (
              <td key={purpose}>
                <ToneBadge tone={tone}>{label}</ToneBadge>
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);

const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value: value as string, label: channelLabel(value) }));
const PURPOSE_OPTIONS = CONSENT_PURPOSES.map((value) => ({ value: value as string, label: PURPOSE_LABELS[value] }));
const CHANGE_OPTIONS = [
  { value: 'given', label: 'Given' },
  { value: 'withdrawn', label: 'Withdrawn' },
];

function ConsentForm({ person, onDone }: { person: Person; onDone: () => void }) {
  const { form, bind, sending, problem } = useContractForm(createConsent, {
    initial: { channel: CHANNEL_OPTIONS[0]!.value, purpose: 'marketing', change: 'given', text: '', source: '' },
    input: (body) => ({ params: { id: person.id }, body: body as never }),
    onDone: () => {
      toast.success('Consent recorded');
      onDone();
    },
  });
  return (
    <Form {...bind} className={styles.panelForm}>
      <Field
        form={form}
        name="change"
        as={Select}
        label="The consent was"
        data={CHANGE_OPTIONS}
        allowDeselect={false}
      />
      <Field form={form} name="channel" as={Select} label="Channel" data={CHANNEL_OPTIONS} allowDeselect={false} />
      <Field form={form} name="purpose" as={Select} label="Purpose" data={PURPOSE_OPTIONS} allowDeselect={false} />
      <Field
        form={form}
        name="text"
        as={Textarea}
        label="Exact text"
        description="What the person saw or said. You cannot change it later."
        autosize
        minRows={3}
      />
      <Field
        form={form}
        name="source"
        as={TextInput}
        label="Where"
        description="For example, the address of a form or the name of a shop."
        maxLength={500}
      />
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending}>
          Record consent
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}
