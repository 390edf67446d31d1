/**
 * Confirms an email code for a new account or a password reset. The URL has no ID if the user signed in before
 * confirming, an ID after a code was sent, and both an ID and a code if the user followed the link in an email.
 */
import { confirmEmail, createEmailVerification, createPasswordReset } from '@parley/contract/auth/sign_up.ts';
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { call } from '../../kernel/http/client.ts';
import { EMAIL_VERIFICATION, emailVerificationPath, FORGOT_PASSWORD, RESET_PASSWORD, SIGN_UP } from '../../paths.ts';
import { AuthHeader } from '../AuthHeader.tsx';
import { CodeForm } from '../CodeForm.tsx';
import { useLinkSecret } from '../link_secret.ts';
import { storeResendDate } from '../resend.ts';
import { useOutcome } from '../sign_in/outcome.ts';
import { EmailStep } from './EmailStep.tsx';

export default function EmailVerificationPage() {
  const { id, code: given } = useParams({ strict: false }) as { id?: string; code?: string };
  const code = useLinkSecret(`${EMAIL_VERIFICATION}/${id}`, given);
  const { username = '', purpose } = useSearch({ strict: false }) as { username?: string; purpose?: string };
  const recovery = purpose === 'password_reset';
  if (!id)
    return (
      <EmailStep
        endpoint={createEmailVerification}
        title="Confirm your email"
        description="Confirm your email address to sign in. We’ll send you a code."
        email={username}
      />
    );
  return <CodeStep key={id} id={id} code={code} username={username} recovery={recovery} />;
}

interface CodeStepProps {
  id: string;
  code: string;
  username: string;
  recovery: boolean;
}

function CodeStep({ id, code, username, recovery }: CodeStepProps) {
  const router = useRouter();
  const outcome = useOutcome();
  const resend = async () => {
    const { data } = recovery
      ? await call(createPasswordReset, { body: { email: username } })
      : await call(createEmailVerification, { body: { email: username } });
    storeResendDate(data);
    router.history.replace(emailVerificationPath(data.id, username, recovery));
  };
  return (
    <>
      <AuthHeader title={code ? 'Confirm your email' : 'Check your email'}>
        {code ? (
          'The code from your link is filled in. Select Confirm to continue.'
        ) : recovery ? (
          <>
            If <b>{username || 'this address'}</b> is registered, you will get an email with a code and a link.
          </>
        ) : (
          <>
            We sent a code to <b>{username || 'your email address'}</b>. If you don’t see it, check your spam folder.
          </>
        )}
      </AuthHeader>
      <CodeForm
        endpoint={confirmEmail}
        id={id}
        code={code}
        onDone={({ data }) => {
          if (data.purpose === 'password_reset' && data.hash) router.history.replace(`${RESET_PASSWORD}/${data.hash}`);
          else outcome(data);
        }}
        // The link in an email does not contain the email address, so the user enters it first.
        onResend={
          username
            ? resend
            : async () => router.history.push(recovery ? FORGOT_PASSWORD : emailVerificationPath(null, ''))
        }
      >
        <Link to={recovery ? FORGOT_PASSWORD : SIGN_UP}>Change email</Link>
      </CodeForm>
    </>
  );
}
