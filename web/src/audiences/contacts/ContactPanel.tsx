import { Anchor, Button } from '@mantine/core';
import { type Contact, removeContact, updateContact } from '@parley/contract/audiences/audiences.ts';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { showNumber } from '@parley/contract/channels/person_ids.ts';
import { Link } from '@tanstack/react-router';
import { useContractForm } from '../../kernel/form/form.ts';
import { removeWithUndo } from '../../kernel/http/undo.ts';
import { openQuickReply } from '../../kernel/quick_reply.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { personPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Audiences.module.css';
import { countryName } from '../numbers.ts';
import { type FactValues, factBody, factValues, useContactFields } from '../people/contact_fields.ts';
import { FactFields } from '../people/FactFields.tsx';
import { ContactFields } from './ContactFields.tsx';

const FORM = 'contact-form';

type Texts = Pick<Contact, 'first_name' | 'last_name' | 'custom1' | 'custom2'>;
const toBody = ({ first_name, last_name, custom1, custom2, ...facts }: Texts & FactValues) => ({
  ...{ first_name, last_name, custom1, custom2 },
  ...factBody(facts),
});

export const contactName = ({
  first_name,
  last_name,
  number,
}: Pick<Contact, 'first_name' | 'last_name' | 'number'>): string =>
  `${first_name} ${last_name}`.trim() || showNumber(number);

export const removeContactWithUndo = (row: Contact): void =>
  removeWithUndo({
    id: row.id,
    endpoint: removeContact,
    input: { params: { id: row.audience_id, contact_id: row.id } },
    message: `${contactName(row)} was removed.`,
    invalidates: ['audiences'],
  });

export function ContactPanel({ contact, onClose }: { contact: Contact | null; onClose: () => void }) {
  const fields = useContactFields();
  const remove = (row: Contact) => {
    onClose();
    removeContactWithUndo(row);
  };
  return (
    <SidePanel
      open={contact !== null}
      onClose={onClose}
      title={contact ? contactName(contact) : ''}
      description={contact && <PhoneNumber value={contact.number} />}
      recordId={contact?.id}
      actions={
        contact && (
          <>
            <Allow needs="MESSAGES:view">
              <Button variant="default" onClick={() => openQuickReply({ number: contact.number })}>
                Quick Reply
              </Button>
            </Allow>
            <Allow needs={removeContact.needs}>
              <Button variant="subtle" color="red" onClick={() => remove(contact)}>
                Remove contact
              </Button>
            </Allow>
            <Allow needs={updateContact.needs}>
              <Button type="submit" form={FORM}>
                Save contact
              </Button>
            </Allow>
          </>
        )
      }
    >
      {contact && (
        <ContactForm key={`${contact.id} ${fields.length}`} contact={contact} fields={fields} onDone={onClose} />
      )}
    </SidePanel>
  );
}

interface ContactFormProps {
  contact: Contact;
  fields: readonly ContactField[];
  onDone: () => void;
}

function ContactForm({ contact, fields, onDone }: ContactFormProps) {
  const readOnly = useReason(updateContact.needs);
  const { first_name, last_name, custom1, custom2 } = contact;
  const { form, bind, problem } = useContractForm(updateContact, {
    initial: { first_name, last_name, custom1, custom2, ...factValues(fields, contact) },
    body: toBody,
    input: (values) => ({ params: { id: contact.audience_id, contact_id: contact.id }, body: toBody(values) }),
    labels: { custom1: 'Custom 1', custom2: 'Custom 2' },
    onDone: () => {
      toast.success('Contact saved');
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <Anchor component={Link} to={personPath(contact.person_id)} size="sm" style={{ alignSelf: 'start' }}>
        Open person
      </Anchor>
      <FormProblem>{problem}</FormProblem>
      <fieldset disabled={readOnly !== null} style={{ display: 'contents' }}>
        <ContactFields form={form} />
        <FactFields form={form} fields={fields} />
      </fieldset>
      <Fields
        fields={[
          { label: 'Country', value: countryName(contact.country) },
          { label: 'Added', value: <DateTime value={contact.create_date} /> },
          { label: 'Last changed', value: <DateTime value={contact.update_date} /> },
        ]}
      />
    </Form>
  );
}
