/** A person and their company. After a provider's sign-in the address is known and proven, and no password is asked for. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { signUp } from '@parley/contract/auth/sign_up.ts';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import type { ApiResponse } from '../../kernel/http/client.ts';
import { LEGAL_LINKS, SIGN_IN } from '../../paths.ts';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { ownCountry } from '../../ui/form/countries.ts';
import { NameFields } from '../../ui/form/NameFields.tsx';
import styles from '../Auth.module.css';
import { keepResend } from '../codes.ts';
import { Head } from '../Head.tsx';
import { PasswordField } from '../PasswordField.tsx';
import { keepSocial, readSocial, type Social, useOutcome } from '../sign_in/outcome.ts';
import { IndustrySelect } from './IndustrySelect.tsx';

const OtherWays = lazy(() => import('../sign_in/OtherWays.tsx'));

const LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  company_name: 'Company',
  country_code: 'Country',
  email: 'Email',
  password: 'Password',
};

const EMPTY = {
  first_name: '',
  last_name: '',
  company_name: '',
  country_code: '',
  email: '',
  password: '',
  industry_id: null as string | null,
  terms: false,
};
type Values = typeof EMPTY;

const GONE = 'VERIFICATION_EXPIRED';
const TOO_OLD =
  'Too much time has passed since your provider confirmed who you are. Go to sign-in and choose it again.';

/** What was typed before, for whoever comes back to mend their address. Never the password, and the terms are asked for again. */
let before: Partial<Values> | null = null;

/** Where somebody came from, as the link says it that led here, or the page before ours. */
function sourceOf(): string {
  const search = new URLSearchParams(window.location.search);
  const named = search.get('source') ?? search.get('utm_source');
  const elsewhere = document.referrer && new URL(document.referrer).host !== window.location.host;
  const found = named ?? (elsewhere ? new URL(document.referrer).host : 'direct');
  return found.replace(/[^\w.:-]/g, '').slice(0, 60) || 'direct';
}

function bodyOf({ password, industry_id, terms, ...rest }: Values, social: Social | null) {
  return {
    ...rest,
    ...(social ? {} : { password }),
    ...(industry_id ? { industry_id: Number(industry_id) } : {}),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    terms: terms as true,
  };
}

export default function SignUpPage() {
  const outcome = useOutcome();
  const [social] = useState(() => (readSocial()?.connect === false ? readSocial() : null));
  const [source] = useState(sourceOf);
  const [tooOld, setTooOld] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const { form, onSubmit, sending, problem } = useContractForm(signUp, {
    initial: {
      ...EMPTY,
      country_code: ownCountry(),
      ...before,
      ...(social ? { email: social.email, first_name: social.first_name, last_name: social.last_name } : {}),
    } as Values,
    body: (values) => bodyOf(values, social),
    check: ({ terms }) => ({ terms: terms ? null : 'Please accept the terms to go on' }),
    headers: () => ({ 'x-source': source, ...(social ? { 'x-social-token': social.token } : {}) }),
    labels: LABELS,
    guard: false,
    onRejected: ({ name }) => setTooOld(social !== null && name === GONE),
    onDone: ({ data }: ApiResponse<typeof signUp>) => {
      before = { ...form.getValues(), password: '', terms: false };
      keepSocial(null);
      // The code has just been sent; how long to wait for another is told when one is asked for.
      if (data.verification_id) keepResend({ id: data.verification_id, resend_date: inHalfAMinute() });
      outcome(data);
    },
  });
  const field = (name: keyof Values) => form.getInputProps(name);
  return (
    <>
      <Head title="Create your account" problem={tooOld ? TOO_OLD : (problem ?? refused)}>
        {social
          ? `You are signing up with ${social.email}. A few words about your company and you are in.`
          : 'Free for 30 days. No card needed.'}
      </Head>
      <form noValidate aria-label="Create account" onSubmit={onSubmit} className={styles.fields}>
        <div className={styles.pair}>
          <NameFields form={form} own autoFocus />
        </div>
        <TextInput
          label="Company"
          autoComplete="organization"
          maxLength={100}
          key={form.key('company_name')}
          {...field('company_name')}
        />
        <div className={styles.pair}>
          <CountrySelect label="Country" autoComplete="off" key={form.key('country_code')} {...field('country_code')} />
          <IndustrySelect
            label="Industry (optional)"
            placeholder="Choose one"
            clearable
            clearButtonProps={{ 'aria-label': 'No industry' }}
            maxDropdownHeight={260}
            key={form.key('industry_id')}
            {...field('industry_id')}
          />
        </div>
        <TextInput
          label="Email"
          description={social ? 'Confirmed by your provider.' : 'We send a code to it. Best one of your company.'}
          type="email"
          inputMode="email"
          autoComplete="username"
          readOnly={social !== null}
          key={form.key('email')}
          {...field('email')}
        />
        {!social && <PasswordField key={form.key('password')} field={field('password')} />}
        <Checkbox
          label={
            <>
              I have read and accept the{' '}
              <a href={LEGAL_LINKS[1].href} target="_blank" rel="noreferrer">
                terms of service
              </a>
              , the{' '}
              <a href={LEGAL_LINKS[0].href} target="_blank" rel="noreferrer">
                privacy policy
              </a>{' '}
              and the{' '}
              <a href={LEGAL_LINKS[2].href} target="_blank" rel="noreferrer">
                anti-spam policy
              </a>
              .
            </>
          }
          key={form.key('terms')}
          {...form.getInputProps('terms', { type: 'checkbox' })}
        />
        <Button type="submit" loading={sending} fullWidth>
          Create account
        </Button>
      </form>
      <p className={styles.after}>
        Have an account already? <Link to={SIGN_IN}>Sign in</Link>
      </p>
      {!social && (
        <div className={styles.others}>
          <Suspense>
            <OtherWays onlyProviders onNext={() => {}} onRefused={setRefused} />
          </Suspense>
        </div>
      )}
    </>
  );
}

const inHalfAMinute = (): string => new Date(Date.now() + 30_000).toISOString().slice(0, 19).replace('T', ' ');
