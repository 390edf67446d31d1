/** The first step: what is asked for. It makes the draft, or changes it. */
import { Button, MultiSelect, Radio, TagsInput, TextInput } from '@mantine/core';
import { problemMessage } from '@parley/contract/problem.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { expectedDays, senderTypeRule } from '@parley/contract/senders/countries.ts';
import { createSender, SENDER_ID, updateSender } from '@parley/contract/senders/orders.ts';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { BUY_NUMBER, linkTo } from '../../paths.ts';
import { SenderSelect, senderLabel } from '../../senders/SenderSelect.tsx';
import { daysWords } from '../../senders/words.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { countryName, countryOptions } from '../../ui/form/countries.ts';
import styles from '../Registrations.module.css';
import { type Saver, useSection } from '../section.ts';
import type { FormKind } from './form_kind.ts';

export interface StartStepProps {
  kind: FormKind;
  sender: SenderDetail | null;
  saver: Saver;
  onSender: (id: string) => void;
}

export function StartStep(props: StartStepProps) {
  if (props.kind === 'toll_free' || props.kind === 'tcr') return <NumberChoice {...props} />;
  return <Order {...props} type={props.kind === 'sender_id' ? 'alphanumeric' : 'short_code'} />;
}

function Order({ sender, saver, onSender, type }: StartStepProps & { type: 'alphanumeric' | 'short_code' }) {
  const { country } = useSearch({ strict: false }) as { country?: string };
  const places = useMemo(
    () => countryOptions().filter(({ value }) => senderTypeRule(value, type).state !== 'no'),
    [type],
  );
  const known = country && places.some(({ value }) => value === country) ? [country] : [];
  const isName = type === 'alphanumeric';
  const form = useSection({
    endpoint: sender ? updateSender : createSender,
    params: { id: sender?.id ?? '' },
    typed: `start.${type}.${sender?.id ?? 'new'}`,
    saver,
    labels: { code: 'Sender ID', countries: 'Countries', wish: 'Short code' },
    initial: {
      code: sender?.code ?? '',
      countries: sender?.countries ?? known,
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
      countries: countries.length > 0 ? null : 'Choose at least one country',
    }),
    onSaved: (data) => onSender((data as { id: string }).id),
  });
  const [chosen, setChosen] = useState(form.getValues().countries);
  const [wish, setWish] = useState(form.getValues().wish_kind);
  return (
    <div className={styles.form}>
      {isName ? (
        <TextInput
          label="Sender ID"
          description="Up to 11 letters, digits and spaces, at least one letter. People see it instead of a number."
          required
          maxLength={11}
          autoComplete="off"
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
      ) : (
        <>
          <Radio.Group
            label="Which short code"
            value={wish}
            onChange={(value) => {
              setWish(value);
              form.setFieldValue('wish_kind', value);
            }}
          >
            <div className={styles.form} style={{ gap: 8, marginTop: 6 }}>
              <Radio value="random" label="Any that is free" />
              <Radio value="chosen" label="One of those I name" />
            </div>
          </Radio.Group>
          {wish === 'chosen' && (
            <TagsInput
              label="Short codes you would like"
              description="3 to 8 digits each, the best first, at most five."
              maxTags={5}
              key={form.key('wish_codes')}
              {...form.getInputProps('wish_codes')}
            />
          )}
        </>
      )}
      <MultiSelect
        label="Countries"
        description={
          isName ? 'Where people are. Countries whose carriers take no names are not in the list.' : 'Where people are.'
        }
        required
        data={places}
        searchable
        withScrollArea={false}
        styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
        key={form.key('countries')}
        {...form.getInputProps('countries')}
        onChange={(value) => {
          setChosen(value);
          form.setFieldValue('countries', value);
        }}
      />
      {chosen.length > 0 && <Rules countries={chosen} type={type} />}
    </div>
  );
}

function Rules({ countries, type }: { countries: readonly string[]; type: 'alphanumeric' | 'short_code' }) {
  const notes = countries
    .map((country) => ({ country, note: senderTypeRule(country, type).note }))
    .filter(({ note }) => note);
  return (
    <Notice tone="info">
      Usually decided within {daysWords(expectedDays(countries, type))}.
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

function NumberChoice({ kind, sender, saver, onSender }: StartStepProps) {
  const type = kind === 'toll_free' ? 'toll_free' : 'local';
  const [chosen, setChosen] = useState<string | null>(sender?.id ?? null);
  const [missing, setMissing] = useState<string | null>(null);
  useEffect(() => {
    saver.current = async () => {
      if (!chosen) {
        setMissing('Choose the number that is registered');
        return [{ key: 'number', text: 'Choose the number that is registered' }];
      }
      onSender(chosen);
      return undefined;
    };
  });
  return (
    <div className={styles.form}>
      <SenderSelect
        label="Number"
        description={
          kind === 'toll_free'
            ? 'A toll-free number of yours.'
            : 'A local number of yours in a country that asks for it.'
        }
        placeholder="Choose a number"
        required
        filter={{ types: type, statuses: 'unregistered,rejected,pending' }}
        known={sender ? [{ value: sender.id, label: senderLabel(sender) }] : []}
        none={<p className={styles.hint}>You have no number that needs it.</p>}
        value={chosen}
        error={missing}
        onChange={(value) => {
          setChosen(value);
          setMissing(null);
        }}
      />
      <p className={styles.hint}>
        None yet? A number that is bought is yours at once, and sends when it has been registered.
      </p>
      <div>
        <Button size="xs" variant="default" component={Link} {...linkTo(BUY_NUMBER, { type, country: 'US' })}>
          Buy a number
        </Button>
      </div>
    </div>
  );
}
