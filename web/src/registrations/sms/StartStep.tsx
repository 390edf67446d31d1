/** The first step: sender ID, short code, or number. It creates or updates the draft. */
import { Button, Radio, TagsInput, TextInput } from '@mantine/core';
import { problemMessage } from '@parley/contract/problem.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { expectedDays, senderTypeRule } from '@parley/contract/senders/countries.ts';
import { createSender, SENDER_ID, updateSender } from '@parley/contract/senders/orders.ts';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { BUY_NUMBER, linkTo } from '../../paths.ts';
import { daysText } from '../../senders/labels.ts';
import { SenderSelect, senderLabel, useSenderSearch } from '../../senders/SenderSelect.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { countryName, countryOptions } from '../../ui/form/countries.ts';
import { Field } from '../../ui/form/Field.tsx';
import styles from '../Registrations.module.css';
import { type Saver, useSection } from '../section.ts';
import type { FormKind } from './form_kind.ts';

interface StartStepProps {
  kind: FormKind;
  sender: SenderDetail | null;
  saver: Saver;
  onSender: (id: string) => void;
}

export function StartStep(props: StartStepProps) {
  if (props.kind === 'toll_free' || props.kind === 'tcr') return <NumberChoice {...props} />;
  return <OrderFields {...props} type={props.kind === 'sender_id' ? 'alphanumeric' : 'short_code'} />;
}

type OrderType = 'alphanumeric' | 'short_code';

function useOrderForm(
  { sender, saver, onSender, type }: StartStepProps & { type: OrderType },
  isAllowed: (country: string) => boolean,
) {
  const { country } = useSearch({ strict: false }) as { country?: string };
  const isName = type === 'alphanumeric';
  return useSection({
    endpoint: sender ? updateSender : createSender,
    params: { id: sender?.id ?? '' },
    draftKey: `start.${type}.${sender?.id ?? 'new'}`,
    saver,
    labels: { code: 'Sender ID', countries: 'Countries', wish: 'Short code' },
    initial: {
      code: sender?.code ?? '',
      countries: sender?.countries ?? (country && isAllowed(country) ? [country] : []),
      brand: sender?.brand ?? '',
      wish_kind: (sender?.wish?.kind ?? 'random') as string,
      wish_codes: sender?.wish?.codes ?? [],
    },
    body: ({ code, countries, brand, wish_kind, wish_codes }) => ({
      ...(sender ? { brand } : { type }),
      ...(isName ? { code } : { wish: { kind: wish_kind, codes: wish_kind === 'chosen' ? wish_codes : [] } }),
      countries,
    }),
    check: ({ code, countries }) => ({
      code:
        !isName || SENDER_ID.test(code.trim())
          ? null
          : code.trim()
            ? problemMessage('SENDER_ID_INVALID')
            : 'Sender ID is required!',
      countries: countries.length > 0 ? null : 'Countries is required!',
    }),
    onSaved: (data) => onSender((data as { id: string }).id),
  });
}

type OrderForm = ReturnType<typeof useOrderForm>;

function OrderFields(props: StartStepProps & { type: OrderType }) {
  const { type } = props;
  const options = useMemo(
    () => countryOptions().filter(({ value }) => senderTypeRule(value, type).state !== 'no'),
    [type],
  );
  const form = useOrderForm(props, (country) => options.some(({ value }) => value === country));
  const [selected, setSelected] = useState(form.getValues().countries);
  const isName = type === 'alphanumeric';
  return (
    <div className={styles.form}>
      {isName ? (
        <Field
          form={form}
          name="code"
          as={TextInput}
          label="Sender ID"
          description="Up to 11 letters, digits, and spaces, with at least one letter. Shown instead of a number."
          maxLength={11}
          autoComplete="off"
        />
      ) : (
        <ShortCodeFields form={form} />
      )}
      <Field
        form={form}
        name="countries"
        as={CountriesSelect}
        label="Countries"
        description={
          isName
            ? 'The countries of your recipients. Countries that do not allow sender IDs are not listed.'
            : 'The countries of your recipients.'
        }
        data={options}
        onChange={(value) => setSelected(value as string[])}
      />
      {selected.length > 0 && <CountryRules countries={selected} type={type} />}
    </div>
  );
}

function ShortCodeFields({ form }: { form: OrderForm }) {
  const [kind, setKind] = useState(form.getValues().wish_kind);
  return (
    <>
      <Radio.Group
        label="Short code"
        value={kind}
        onChange={(value) => {
          setKind(value);
          form.setFieldValue('wish_kind', value);
        }}
      >
        <div className={styles.form} style={{ gap: 8, marginTop: 6 }}>
          <Radio value="random" label="Any available code" />
          <Radio value="chosen" label="Preferred codes" />
        </div>
      </Radio.Group>
      {kind === 'chosen' && (
        <Field
          form={form}
          name="wish_codes"
          as={TagsInput}
          label="Preferred short codes"
          description="Up to five codes of 3 to 8 digits, most preferred first."
          maxTags={5}
        />
      )}
    </>
  );
}

function CountryRules({ countries, type }: { countries: readonly string[]; type: OrderType }) {
  const notes = countries
    .map((country) => ({ country, note: senderTypeRule(country, type).note }))
    .filter(({ note }) => note);
  return (
    <Notice tone="info">
      Usually reviewed within {daysText(expectedDays(countries, type))}.
      <ul className={styles.reasons}>
        {notes.map(({ country, note }) => (
          <li key={country}>
            <span className={styles.field}>{countryName(country)}</span> {note}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const NUMBER_REQUIRED = 'Number is required!';

function NumberChoice({ kind, sender, saver, onSender }: StartStepProps) {
  const type = kind === 'toll_free' ? 'toll_free' : 'local';
  const filter = { types: type, statuses: 'unregistered,rejected,pending' };
  const [selected, setSelected] = useState<string | null>(sender?.id ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  const hasNone = useSenderSearch(filter, '').answer.data?.pagination.total === 0 && sender === null;
  const buy = (
    <Button size="xs" variant="default" component={Link} {...linkTo(BUY_NUMBER, { type, country: 'US' })}>
      Buy number
    </Button>
  );
  useEffect(() => {
    saver.current = async () => {
      if (hasNone) return [{ key: 'number', text: 'You have no number to register.', fix: buy }];
      if (!selected) {
        setProblem(NUMBER_REQUIRED);
        return [{ key: 'number', field: 'number', text: NUMBER_REQUIRED }];
      }
      onSender(selected);
      return undefined;
    };
  });
  if (hasNone)
    return (
      <Notice tone="wait" action={buy}>
        {kind === 'toll_free'
          ? 'You have no toll-free number to register. A number you buy is yours immediately.'
          : 'You have no local number that needs registration. A number you buy is yours immediately.'}
      </Notice>
    );
  return (
    <div className={styles.form}>
      <SenderSelect
        label="Number"
        description={
          kind === 'toll_free'
            ? 'One of your toll-free numbers.'
            : 'One of your local numbers in a country that requires registration.'
        }
        placeholder="Choose a number"
        required
        filter={filter}
        extraOptions={sender ? [{ value: sender.id, label: senderLabel(sender) }] : []}
        data-path="number"
        value={selected}
        error={problem}
        onChange={(value) => {
          setSelected(value);
          setProblem(null);
        }}
      />
      <p className={styles.hint}>
        No number yet? A number you buy is yours immediately, and you can send from it once it is registered.
      </p>
      <div>{buy}</div>
    </div>
  );
}
