/**
 * Who invites to what, and joining: as somebody new, as somebody known who gives their password, or as who is signed in already. Open to everybody,
 * because the link of the mail is opened in whatever browser is at hand.
 */

import { Button } from '@mantine/core';
import type { Item } from '@parley/contract/endpoint.ts';
import type { ClientProblem } from '@parley/contract/problem_codes.ts';
import { acceptInvitation, getInvitation } from '@parley/contract/team/team.ts';
import { IconMailOff } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { readToken } from '../../kernel/http/token.ts';
import { useSessionContext } from '../../kernel/session/session.tsx';
import type { Session } from '../../kernel/session/state.ts';
import { FORGOT_PASSWORD, SIGN_IN } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import { NameFields } from '../../ui/form/NameFields.tsx';
import { PasswordText } from '../../ui/form/PasswordText.tsx';
import styles from '../Auth.module.css';
import { Head } from '../Head.tsx';
import { newPasswordWords, PasswordField } from '../PasswordField.tsx';
import { useOutcome } from '../sign_in/outcome.ts';
import { refusalWords } from '../sign_in/refusals.ts';

type Invited = Item<typeof getInvitation>;

const WORDS: Readonly<Partial<Record<ClientProblem, string>>> = {
  INVITATION_NOT_FOUND:
    'The link is not complete, or a newer invitation took its place. Open the link of the latest mail.',
  INVITATION_NOT_OPEN:
    'It was accepted, taken back, or is older than 7 days. Ask the person who invited you to send it again.',
};

/** The one accepted here is asked for no more: it is not open any longer, and this page may stand until the next one has come. */
let joined: string | null = null;

export default function InvitationsPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const { state } = useSessionContext();
  const valid = getInvitation.params.safeParse({ id: token }).success;
  const invitation = useEndpoint(
    getInvitation,
    { params: { id: token } },
    { enabled: valid && token !== joined, staleTime: 'static' },
  );
  const problem = valid ? invitation.error?.name : 'INVITATION_NOT_FOUND';

  if (problem !== undefined && WORDS[problem])
    return (
      <>
        <span className={styles.standing} data-tone="wait">
          <IconMailOff size={24} stroke={1.6} aria-hidden />
        </span>
        <Head title="This invitation is no longer open">{WORDS[problem]}</Head>
        <Button component={Link} to={SIGN_IN} variant="default" fullWidth>
          {state.kind === 'in' ? 'Go to the dashboard' : 'Go to sign-in'}
        </Button>
      </>
    );
  if (invitation.error)
    return (
      <ErrorState title="The invitation could not be loaded" onRetry={() => void invitation.refetch()}>
        {invitation.error.message}
      </ErrorState>
    );
  if (!invitation.data)
    return (
      <>
        <Head title="You are invited" />
        <SkeletonFields count={3} />
      </>
    );
  const invited = invitation.data.data;
  return (
    <>
      <Head title={`Join ${invited.company_name}`}>
        {invited.invited_by_name ? <b>{invited.invited_by_name}</b> : 'Somebody'} invites <b>{invited.email}</b> to work
        in <b>{invited.company_name}</b>. The invitation is open until{' '}
        <DateTime value={invited.expire_date} show="date" />.
      </Head>
      {state.kind === 'in' ? (
        <SignedIn session={state.session} invited={invited} token={token} />
      ) : invited.existing ? (
        <Known token={token} />
      ) : (
        <New invited={invited} token={token} />
      )}
    </>
  );
}

interface AcceptOptions<V extends Record<string, unknown>> {
  initial: V;
  token: string;
  check?: (values: V) => Partial<Record<string, string | null>>;
  signedIn?: boolean;
}

function useAccept<V extends Record<string, unknown>>({ initial, token, check, signedIn = false }: AcceptOptions<V>) {
  const outcome = useOutcome();
  const accepted = useContractForm(acceptInvitation, {
    initial,
    body: (values: V) => ({ ...values, token }),
    ...(check ? { check } : {}),
    // Nobody has to be signed in for this call; whoever is, says so.
    ...(signedIn ? { headers: () => ({ authorization: `Bearer ${readToken()}` }) } : {}),
    guard: false,
    onDone: ({ data }) => {
      // Before the session begins, which forgets all that was asked.
      joined = token;
      outcome(data);
    },
    onRejected: (error) => setRefused(WORDS[error.name] ?? refusalWords(error)),
  });
  const [refused, setRefused] = useState<string | null>(null);
  return { ...accepted, problem: accepted.problem && refused };
}

function SignedIn({ session, invited, token }: { session: Session; invited: Invited; token: string }) {
  const { signOut } = useSessionContext();
  const { onSubmit, sending, problem } = useAccept({ initial: {}, token, signedIn: true });
  const { user } = session;
  if (user.email.toLowerCase() !== invited.email.toLowerCase())
    return (
      <>
        <div className={styles.told}>
          You are signed in as <b>{user.email}</b>. This invitation is for somebody else&apos;s address.
        </div>
        <Button fullWidth onClick={() => void signOut()}>
          Sign out and go on
        </Button>
        <p className={styles.after}>
          <Link to="/">Stay signed in as {user.email}</Link>
        </p>
      </>
    );
  return (
    <form noValidate aria-label="Join" onSubmit={onSubmit} className={styles.fields}>
      <Problem words={problem} />
      <Button type="submit" loading={sending} fullWidth>
        Join {invited.company_name} as {user.full_name}
      </Button>
    </form>
  );
}

function Known({ token }: { token: string }) {
  const { form, onSubmit, sending, problem } = useAccept({
    initial: { password: '' },
    token,
    check: ({ password }) => ({ password: password ? null : 'Password is required!' }),
  });
  return (
    <form noValidate aria-label="Join" onSubmit={onSubmit} className={styles.fields}>
      <Problem words={problem} />
      <div className={styles.beside}>
        <PasswordText
          label="Your password"
          description="You have a user here already; it stays the same."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="current-password"
          autoFocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Link to={FORGOT_PASSWORD} className={styles.besideLabel}>
          Forgot password?
        </Link>
      </div>
      <Button type="submit" loading={sending} fullWidth>
        Join
      </Button>
    </form>
  );
}

function New({ invited, token }: { invited: Invited; token: string }) {
  const { form, onSubmit, sending, problem } = useAccept({
    initial: { first_name: invited.first_name, last_name: invited.last_name, password: '' },
    token,
    check: ({ first_name, last_name, password }) => ({
      first_name: first_name.trim() ? null : 'First name is required!',
      last_name: last_name.trim() ? null : 'Last name is required!',
      password: newPasswordWords(password),
    }),
  });
  return (
    <form noValidate aria-label="Join" onSubmit={onSubmit} className={styles.fields}>
      <Problem words={problem} />
      <div className={styles.pair}>
        <NameFields form={form} own autoFocus />
      </div>
      <PasswordField label="Choose a password" key={form.key('password')} field={form.getInputProps('password')} />
      <Button type="submit" loading={sending} fullWidth>
        Join
      </Button>
    </form>
  );
}

function Problem({ words }: { words: string | null }) {
  return words ? (
    <p className={styles.refused} role="alert">
      {words}
    </p>
  ) : null;
}
