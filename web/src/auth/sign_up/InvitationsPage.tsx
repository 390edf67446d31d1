/**
 * Accepts an invitation as a new user, as an existing user with their password, or as the signed-in user. The page is
 * public, because the link may open in any browser.
 */

import { Button } from '@mantine/core';
import type { Item } from '@parley/contract/endpoint.ts';
import type { ClientProblem } from '@parley/contract/problem_codes.ts';
import { acceptInvitation, getInvitation } from '@parley/contract/team/team.ts';
import { IconMailOff } from '@tabler/icons-react';
import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { brandName } from '../../ui/brand.ts';
import '../../kernel/schema/rules.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { readToken } from '../../kernel/http/token.ts';
import { useSessionContext } from '../../kernel/session/session.tsx';
import type { Session } from '../../kernel/session/state.ts';
import { FORGOT_PASSWORD, INVITATIONS, SIGN_IN } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { NameFields } from '../../ui/form/NameFields.tsx';
import { PasswordText } from '../../ui/form/PasswordText.tsx';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { useLinkSecret } from '../link_secret.ts';
import { newPasswordProblem, PasswordField } from '../PasswordField.tsx';
import { useOutcome } from '../sign_in/outcome.ts';
import { signInErrorText } from '../sign_in/sign_in_errors.ts';

type Invited = Item<typeof getInvitation>;

const MESSAGES: Readonly<Partial<Record<ClientProblem, string>>> = {
  INVITATION_NOT_FOUND: 'The link is incomplete, or a newer invitation replaced it. Open the link in the latest email.',
  INVITATION_NOT_OPEN:
    'It was already accepted, was revoked, or has expired. Ask the person who invited you to send a new invitation.',
};

/** The token accepted on this page. Its invitation is not loaded again, because it is no longer open. */
let acceptedToken: string | null = null;

export default function InvitationsPage() {
  // Emails from before put the token into the query.
  const search = useSearch({ strict: false }) as { token?: string };
  const { hash } = useLocation();
  const token = useLinkSecret(INVITATIONS, new URLSearchParams(hash).get('token') ?? search.token);
  const { state } = useSessionContext();
  const valid = getInvitation.params.safeParse({ id: token }).success;
  const invitation = useEndpoint(
    getInvitation,
    { params: { id: token } },
    { enabled: valid && token !== acceptedToken, staleTime: 'static' },
  );
  const problem = valid ? invitation.error?.name : 'INVITATION_NOT_FOUND';

  if (problem !== undefined && MESSAGES[problem])
    return (
      <>
        <span className={styles.stateIcon} data-tone="wait">
          <IconMailOff size={24} stroke={1.6} aria-hidden />
        </span>
        <AuthHeader title="This invitation is no longer valid">{MESSAGES[problem]}</AuthHeader>
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
        <AuthHeader title="You have been invited" />
        <SkeletonFields count={3} />
      </>
    );
  const invited = invitation.data.data;
  return (
    <>
      <AuthHeader title={`Join ${invited.company_name}`}>
        {invited.invited_by_name ? <b>{invited.invited_by_name}</b> : 'Your team'} invited <b>{invited.email}</b> to
        join <b>{invited.company_name}</b>. The invitation expires on{' '}
        <DateTime value={invited.expire_date} show="date" />.
      </AuthHeader>
      {state.kind === 'in' ? (
        <SignedIn session={state.session} invited={invited} token={token} />
      ) : invited.existing ? (
        <ExistingUser token={token} />
      ) : (
        <NewUser invited={invited} token={token} />
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
  const contractForm = useContractForm(acceptInvitation, {
    initial,
    body: (values: V) => ({ ...values, token }),
    ...(check ? { check } : {}),
    // This call is public, so the token of a signed-in user is added here.
    ...(signedIn ? { headers: () => ({ authorization: `Bearer ${readToken()}` }) } : {}),
    guard: false,
    onDone: ({ data }) => {
      // Set before the new session starts, because starting a session clears all queries.
      acceptedToken = token;
      outcome(data);
    },
    onRejected: (error) => setProblem(MESSAGES[error.name] ?? signInErrorText(error)),
  });
  const [problem, setProblem] = useState<string | null>(null);
  return { ...contractForm, problem: contractForm.problem && problem };
}

function SignedIn({ session, invited, token }: { session: Session; invited: Invited; token: string }) {
  const { signOut } = useSessionContext();
  const { bind, sending, problem } = useAccept({ initial: {}, token, signedIn: true });
  const { user } = session;
  if (user.email.toLowerCase() !== invited.email.toLowerCase())
    return (
      <>
        <div className={styles.reviewNotice}>
          You are signed in as <b>{user.email}</b>. This invitation is for a different email address.
        </div>
        <Button fullWidth onClick={() => void signOut()}>
          Sign out and continue
        </Button>
        <p className={styles.after}>
          <Link to="/">Stay signed in as {user.email}</Link>
        </p>
      </>
    );
  return (
    <Form {...bind} aria-label="Join" className={styles.fields}>
      <FormProblem text={problem} />
      <Button type="submit" loading={sending} fullWidth>
        Join {invited.company_name} as {user.full_name}
      </Button>
    </Form>
  );
}

function ExistingUser({ token }: { token: string }) {
  const { form, bind, sending, problem } = useAccept({
    initial: { password: '' },
    token,
    check: ({ password }) => ({ password: password ? null : 'Password is required!' }),
  });
  return (
    <Form {...bind} aria-label="Join" className={styles.fields}>
      <FormProblem text={problem} />
      <div className={styles.beside}>
        <Field
          form={form}
          name="password"
          as={PasswordText}
          label="Your password"
          description={`You already use ${brandName()} with this email. Your password stays the same.`}
          autoComplete="current-password"
          autoFocus
        />
        <Link to={FORGOT_PASSWORD} className={styles.besideLabel}>
          Forgot password?
        </Link>
      </div>
      <Button type="submit" loading={sending} fullWidth>
        Join
      </Button>
    </Form>
  );
}

function NewUser({ invited, token }: { invited: Invited; token: string }) {
  const { form, bind, sending, problem } = useAccept({
    initial: { first_name: invited.first_name, last_name: invited.last_name, password: '' },
    token,
    check: ({ first_name, last_name, password }) => ({
      first_name: first_name.trim() ? null : 'First name is required!',
      last_name: last_name.trim() ? null : 'Last name is required!',
      password: newPasswordProblem(password),
    }),
  });
  return (
    <Form {...bind} aria-label="Join" className={styles.fields}>
      <FormProblem text={problem} />
      <div className={styles.pair}>
        <NameFields form={form} own autoFocus />
      </div>
      <Field form={form} name="password" as={PasswordField} label="Choose a password" />
      <Button type="submit" loading={sending} fullWidth>
        Join
      </Button>
    </Form>
  );
}

function FormProblem({ text }: { text: string | null }) {
  return text ? (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  ) : null;
}
