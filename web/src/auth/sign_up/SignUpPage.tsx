/** Sign-up of a user and their company. After a provider sign-in, the email is confirmed and no password is needed. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { signUp } from '@parley/contract/auth/sign_up.ts';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import type { ApiResponse } from '../../kernel/http/client.ts';
import { LEGAL_LINKS, SIGN_IN } from '../../paths.ts';
import { brandName, isOwnDomain } from '../../ui/brand.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { ownCountry } from '../../ui/form/countries.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { NameFields } from '../../ui/form/NameFields.tsx';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { PasswordField } from '../PasswordField.tsx';
import { readPageLinks } from '../page_links.ts';
import { storeResendDate } from '../resend.ts';
import { readSocial, type Social, storeSocial, useOutcome } from '../sign_in/outcome.ts';
import { IndustrySelect } from './IndustrySelect.tsx';

const AlternativeSignIns = lazyPart(() => import('../sign_in/AlternativeSignIns.tsx'));

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

const EXPIRED = 'VERIFICATION_EXPIRED';
const PROVIDER_EXPIRED =
  'The confirmation from your sign-in provider has expired. Go to the sign-in page and choose the provider again.';

/**
 * The last submitted values, for users who return to correct their email address. The password and the acceptance of
 * the terms are never kept.
 */
let submitted: Partial<Values> | null = null;

/** The origin of the visit: the `source` or `utm_source` of the URL, or the host of the referring page. */
function visitSource(): string {
  const search = new URLSearchParams(window.location.search);
  const parameter = search.get('source') ?? search.get('utm_source');
  const isExternal = document.referrer && new URL(document.referrer).host !== window.location.host;
  const source = parameter ?? (isExternal ? new URL(document.referrer).host : 'direct');
  return source.replace(/[^\w.:-]/g, '').slice(0, 60) || 'direct';
}

function toBody({ password, industry_id, terms, ...rest }: Values, social: Social | null) {
  return {
    ...rest,
    ...(social ? {} : { password }),
    ...(industry_id ? { industry_id: Number(industry_id) } : {}),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    terms: terms as true,
  };
}

function useSignUpForm(social: Social | null) {
  const outcome = useOutcome();
  const [source] = useState(visitSource);
  const [isExpired, setIsExpired] = useState(false);
  const { form, bind, sending, problem } = useContractForm(signUp, {
    initial: {
      ...EMPTY,
      country_code: ownCountry(),
      ...submitted,
      ...(social ? { email: social.email, first_name: social.first_name, last_name: social.last_name } : {}),
    } as Values,
    body: (values) => toBody(values, social),
    check: ({ terms }) => ({ terms: terms ? null : 'Accept the terms to continue' }),
    headers: () => ({ 'x-source': source, ...(social ? { 'x-social-token': social.token } : {}) }),
    labels: LABELS,
    guard: false,
    onRejected: ({ name }) => setIsExpired(social !== null && name === EXPIRED),
    onDone: ({ data }: ApiResponse<typeof signUp>) => {
      submitted = { ...form.getValues(), password: '', terms: false };
      storeSocial(null);
      // The response has no resend date. The server states the exact wait when a new code is requested.
      if (data.verification_id) storeResendDate({ id: data.verification_id, resend_date: in30Seconds() });
      outcome(data);
    },
  });
  return { form, bind, sending, problem: isExpired ? PROVIDER_EXPIRED : problem };
}

const in30Seconds = (): string => new Date(Date.now() + 30_000).toISOString().slice(0, 19).replace('T', ' ');

export default function SignUpPage() {
  return isOwnDomain() ? <ByInvitation /> : <SignUp />;
}

/** Accounts that sign up belong to the installation, so the users of a brand are invited. */
function ByInvitation() {
  return (
    <>
      <AuthHeader title={`${brandName()} is by invitation`}>
        To get an account, ask {brandName()} for an invitation. You’ll get a link by email.
      </AuthHeader>
      <p className={styles.after}>
        Already have an account? <Link to={SIGN_IN}>Sign in</Link>
      </p>
    </>
  );
}

function SignUp() {
  const [social] = useState(() => (readSocial()?.connect === false ? readSocial() : null));
  const [providerProblem, setProviderProblem] = useState<string | null>(null);
  const { form, bind, sending, problem } = useSignUpForm(social);
  return (
    <>
      <AuthHeader title="Create your account" problem={problem ?? providerProblem}>
        {social
          ? `You are signing up with ${social.email}. Tell us about your company to finish.`
          : 'Free for 30 days. No credit card required.'}
      </AuthHeader>
      <Form {...bind} aria-label="Create account" className={styles.fields}>
        <div className={styles.pair}>
          <NameFields form={form} own autoFocus />
        </div>
        <CompanyFields form={form} />
        <Field
          form={form}
          name="email"
          as={TextInput}
          label="Email"
          description={social ? 'Confirmed by your sign-in provider.' : 'Use your work email. We’ll send you a code.'}
          type="email"
          inputMode="email"
          autoComplete="username"
          readOnly={social !== null}
        />
        {!social && <Field form={form} name="password" as={PasswordField} />}
        <Field form={form} name="terms" as={Checkbox} type="checkbox" label={<TermsLabel />} />
        <Button type="submit" loading={sending} fullWidth>
          Create account
        </Button>
      </Form>
      <p className={styles.after}>
        Already have an account? <Link to={SIGN_IN}>Sign in</Link>
      </p>
      {!social && (
        <div className={styles.others}>
          <Suspense>
            <AlternativeSignIns onlyProviders onNext={() => {}} onRefused={setProviderProblem} />
          </Suspense>
        </div>
      )}
    </>
  );
}

function CompanyFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Field
        form={form}
        name="company_name"
        as={TextInput}
        label="Company"
        autoComplete="organization"
        maxLength={100}
      />
      <div className={styles.pair}>
        <Field form={form} name="country_code" as={CountrySelect} label="Country" autoComplete="off" />
        <Field
          form={form}
          name="industry_id"
          as={IndustrySelect}
          label="Industry"
          placeholder="Choose one"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear industry' }}
          maxDropdownHeight={260}
        />
      </div>
    </>
  );
}

function TermsLabel() {
  const [privacy, terms, spam] = readPageLinks('legal-links', LEGAL_LINKS);
  return (
    <>
      I have read and accept the{' '}
      <a href={terms?.href} target="_blank" rel="noreferrer">
        terms of service
      </a>
      , the{' '}
      <a href={privacy?.href} target="_blank" rel="noreferrer">
        privacy policy
      </a>
      , and the{' '}
      <a href={spam?.href} target="_blank" rel="noreferrer">
        anti-spam policy
      </a>
      .
    </>
  );
}
