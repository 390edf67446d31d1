/** A person: details, audiences, consents, and the timeline. Reached by ID or by number. */
import { Anchor, Button } from '@mantine/core';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import {
  createPerson,
  getPerson,
  isPersonId,
  type PersonDetail,
  plainNumber,
  updatePerson,
} from '@parley/contract/audiences/people.ts';
import { idChannel, showNumber } from '@parley/contract/channels/person_ids.ts';
import { IconUser } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { AUDIENCES, contactPath, linkToAddress } from '../../paths.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { ContactFields } from '../contacts/ContactFields.tsx';
import { contactName } from '../contacts/ContactPanel.tsx';
import { countryName } from '../numbers.ts';
import { Consents } from './Consents.tsx';
import { factBody, factValues, useContactFields } from './contact_fields.ts';
import { ErasureNotice } from './ErasureNotice.tsx';
import { FactFields } from './FactFields.tsx';
import { OtherNumbers } from './OtherNumbers.tsx';
import { PersonActions } from './PersonActions.tsx';
import { PersonTimeline } from './PersonTimeline.tsx';

export default function PersonPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getPerson, { params: { id } });
  const fields = useContactFields();
  const isUnknown = query.error?.status === 404 && !isPersonId(id);
  if (isUnknown)
    return (
      <>
        <Back to={AUDIENCES}>Audiences</Back>
        <Unknown number={id} />
      </>
    );
  return (
    <RecordPage
      query={query}
      noun="person"
      icon={IconUser}
      list={{ to: AUDIENCES, label: 'All audiences' }}
      back={<Back to={AUDIENCES}>Audiences</Back>}
    >
      {(person) => (
        <Person key={`${person.id} ${fields.length} ${numbersKey(person)}`} person={person} fields={fields} />
      )}
    </RecordPage>
  );
}

/** The form starts again after a merge, because it has taken over values. */
const numbersKey = ({ other_numbers, channel_ids }: PersonDetail): string =>
  [...other_numbers, ...Object.values(channel_ids)].join();

/** A number that wrote or got messages, but is in no audience. */
function Unknown({ number }: { number: string }) {
  const digits = plainNumber(number);
  const isPhone = /^\d+$/.test(digits);
  const canAdd = isPhone || idChannel(digits) !== null;
  const add = useAction(createPerson, { onSuccess: () => toast.success('Person added') });
  return (
    <>
      <PageHeader title={<PhoneNumber value={digits} />} action={<PersonActions number={digits} />} />
      <ErasureNotice number={digits} />
      <EmptyState
        icon={IconUser}
        title="Not in your contacts"
        action={
          canAdd && (
            <Allow needs={createPerson.needs}>
              <Button loading={add.isPending} onClick={() => add.mutate({ body: { number: showNumber(digits) } })}>
                Add person
              </Button>
            </Allow>
          )
        }
      >
        {canAdd
          ? 'Add the person to store a name, tags, fields, and consents.'
          : 'The carrier has not reported the phone number of this person.'}
      </EmptyState>
      <PersonTimeline id={digits} />
    </>
  );
}

interface PersonProps {
  person: PersonDetail;
  fields: readonly ContactField[];
}

function Person({ person, fields }: PersonProps) {
  const { number, country, audiences } = person;
  return (
    <>
      <PageHeader
        title={contactName(person)}
        description={
          <>
            <PhoneNumber value={number} />
            {country && `, ${countryName(country)}`}
          </>
        }
        action={<PersonActions number={number} person_id={person.id} />}
      />
      <ErasureNotice number={number} />
      <div className={styles.person}>
        <Details person={person} fields={fields} />
        <div className={styles.personSide}>
          <section aria-labelledby="person-audiences">
            <h2 id="person-audiences" className={styles.rowsTitle}>
              Audiences
            </h2>
            {audiences.length === 0 ? (
              <p className={styles.cutNote}>Not in any audience</p>
            ) : (
              <ul className={styles.plainList}>
                {audiences.map(({ id, name, contact_id }) => (
                  <li key={id}>
                    <Anchor component={Link} {...linkToAddress(contactPath(id, contact_id, number))}>
                      <bdi>{name}</bdi>
                    </Anchor>
                  </li>
                ))}
              </ul>
            )}
          </section>
          <OtherNumbers person={person} />
          <Consents person={person} />
        </div>
      </div>
      <PersonTimeline id={person.id} />
    </>
  );
}

function Details({ person, fields }: PersonProps) {
  const readOnly = useReason(updatePerson.needs);
  const { first_name, last_name, custom1, custom2 } = person;
  const toBody = ({ first_name, last_name, custom1, custom2, ...facts }: ReturnType<typeof initialValues>) => ({
    ...{ first_name, last_name, custom1, custom2 },
    ...factBody(facts),
  });
  const initialValues = () => ({ ...{ first_name, last_name, custom1, custom2 }, ...factValues(fields, person) });
  const initial = initialValues();
  const { form, bind, saveBar } = useContractForm(updatePerson, {
    initial,
    draft: useSavedDraft(`person.${person.id}`, initial),
    body: toBody,
    input: (values) => ({ params: { id: person.id }, body: toBody(values) }),
    labels: { custom1: 'Custom 1', custom2: 'Custom 2' },
    onDone: () => {
      form.resetDirty();
      toast.success('Person saved');
    },
  });
  return (
    <Form {...bind} className={styles.form} aria-label="Details">
      <p className={styles.cutNote}>Changes apply to this person in all audiences.</p>
      <fieldset disabled={readOnly !== null} style={{ display: 'contents' }}>
        <ContactFields form={form} />
        <FactFields form={form} fields={fields} />
      </fieldset>
      <SaveBar {...saveBar} save="Save person" reason={readOnly} />
    </Form>
  );
}
