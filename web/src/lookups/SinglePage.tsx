import { Button, TextInput } from '@mantine/core';
import { createNumberLookup, getNumberLookup, type NumberLookup } from '@parley/contract/lookups/lookups.ts';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormFooter } from '../ui/form/FormParts.tsx';
import { LookupLayout, usePrice } from './LookupLayout.tsx';
import { LookupFields } from './LookupResult.tsx';
import styles from './Lookups.module.css';
import { priceText } from './words.ts';

export default function SinglePage() {
  return (
    <LookupLayout title="Carrier lookup" description="The network, type, and state of a phone number.">
      <SingleLookup />
    </LookupLayout>
  );
}

function SingleLookup() {
  const price = usePrice();
  const [lookup, setLookup] = useState<NumberLookup | null>(null);
  const { form, bind, sending, problem } = useContractForm(createNumberLookup, {
    initial: { number: '' },
    labels: { number: 'Phone number' },
    guard: false,
    onDone: ({ data }) => setLookup(data),
  });
  return (
    <div className={styles.page}>
      <Form {...bind} className={styles.form} aria-label="Look up a number">
        <Field
          form={form}
          name="number"
          as={TextInput}
          label="Phone number"
          description="With the country code, such as +44 7400 000100."
          inputMode="tel"
          maxLength={45}
        />
        {price && <p className={styles.note}>{priceText(price)}</p>}
        <FormFooter problem={problem}>
          <Allow needs={createNumberLookup.needs}>
            <Button type="submit" loading={sending}>
              Look up number
            </Button>
          </Allow>
        </FormFooter>
      </Form>
      {lookup && <Result key={lookup.id} first={lookup} onAgain={setLookup} />}
    </div>
  );
}

/** The result. The live event of its arrival reloads it. */
function Result({ first, onAgain }: { first: NumberLookup; onAgain: (lookup: NumberLookup) => void }) {
  const query = useEndpoint(getNumberLookup, { params: { id: first.id } });
  const again = useAction(createNumberLookup, { onSuccess: ({ data }) => onAgain(data) });
  const lookup = query.data?.data ?? first;
  return (
    <section className={styles.card} aria-label="Result">
      <div className={styles.head}>
        <h2>
          <PhoneNumber value={lookup.number} />
        </h2>
        {lookup.status !== 'pending' && lookup.is_live && (
          <Button
            variant="default"
            loading={again.isPending}
            onClick={() => again.mutate({ body: { number: `+${lookup.number}`, refresh: true } })}
          >
            Look up again
          </Button>
        )}
      </div>
      {lookup.is_cached && <Notice tone="info">This is a recent result, so it was free.</Notice>}
      {lookup.status === 'pending' && <Notice tone="wait">Waiting for the provider’s result.</Notice>}
      <LookupFields lookup={lookup} />
    </section>
  );
}
