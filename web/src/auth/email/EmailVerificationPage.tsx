/**
 * The code that came by mail: for a new account, and for a forgotten password. Three addresses lead here: without an id (somebody who signed in before
 * confirming), with the id of what was sent, and from the link of a mail with the code as well.
 */
import { confirmEmail, createEmailVerification, createPasswordReset } from '@parley/contract/auth/sign_up.ts';
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { call } from '../../kernel/http/client.ts';
import { emailVerificationPath, FORGOT_PASSWORD, SIGN_UP } from '../../paths.ts';
import { AuthHeader } from '../AuthHeader.tsx';
import { CodeForm } from '../CodeForm.tsx';
import { storeResendDate } from '../resend.ts';
import { useOutcome } from '../sign_in/outcome.ts';
import { EmailStep } from './EmailStep.tsx';

export default function EmailVerificationPage() {
  const { id, code } = useParams({ strict: false }) as { id?: string; code?: string };
  const { username = '', purpose } = useSearch({ strict: false }) as { username?: string; purpose?: string };
  const recovery = purpose === 'password_reset';
  if (!id)
    return (
      <EmailStep
        endpoint={createEmailVerification}
        title="Confirm your email"
        line="Before you can sign in, show that this address is yours. We send a code to it."
        before={username}
      />
    );
  return <Enter key={id} id={id} code={code ?? ''} username={username} recovery={recovery} />;
}

interface EnterProps {
  id: string;
  code: string;
  username: string;
  recovery: boolean;
}

function Enter({ id, code, username, recovery }: EnterProps) {
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
      <AuthHeader title={code ? 'Confirm your email' : 'Check your mailbox'}>
        {code ? (
          'The code of your link is filled in. One click and you are through.'
        ) : recovery ? (
          <>
            If there is a user of <b>{username || 'this address'}</b>, a code and a link are on their way to it.
          </>
        ) : (
          <>
            We sent a code to <b>{username || 'your address'}</b>. Look into the spam folder, too.
          </>
        )}
      </AuthHeader>
      <CodeForm
        endpoint={confirmEmail}
        id={id}
        code={code}
        onDone={({ data }) => {
          if (data.purpose === 'password_reset' && data.hash) router.history.replace(`/reset-password/${data.hash}`);
          else outcome(data);
        }}
        // Whose code it is does not stand in the link of a mail: then it is asked for.
        onResend={
          username
            ? resend
            : async () => router.history.push(recovery ? FORGOT_PASSWORD : emailVerificationPath(null, ''))
        }
      >
        <Link to={recovery ? FORGOT_PASSWORD : SIGN_UP}>Change the address</Link>
      </CodeForm>
    </>
  );
}
