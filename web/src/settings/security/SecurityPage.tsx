/** Sign-in settings and sessions. They belong to the person, not to one account. */
import { impersonationReason } from '../../auth/impersonation.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { Authenticator } from './Authenticator.tsx';
import { EmailChange } from './EmailChange.tsx';
import { OwnPhone } from './OwnPhone.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PasswordChange } from './PasswordChange.tsx';
import { PersonalData } from './PersonalData.tsx';
import styles from './Security.module.css';
import { Sessions } from './Sessions.tsx';
import { SignInProviders } from './SignInProviders.tsx';

export default function SecurityPage() {
  const { user } = useSession();
  const reason = impersonationReason(user);
  return (
    <SettingsLayout title="Security" description="How you sign in, and where you are signed in.">
      {reason ? (
        <Notice tone="info">{reason}</Notice>
      ) : (
        <>
          {user.pending === 'second_factor' && (
            <Notice tone="wait" className={styles.first}>
              Your account requires two-factor authentication. Set up an authenticator app or a passkey to continue.
            </Notice>
          )}
          <Factors first={user.pending === 'second_factor'} />
          <Section title="Sessions" description="Where you are signed in. End any session you do not recognize.">
            <Sessions />
          </Section>
          <Section title="Your data" description="All personal data stored about you, in one file.">
            <PersonalData />
          </Section>
        </>
      )}
    </SettingsLayout>
  );
}

/** Two-factor settings come first for users who must set them up. */
function Factors({ first }: { first: boolean }) {
  const { user } = useSession();
  const credentials = (
    <>
      <Section
        title="Password"
        description={
          user.has_password
            ? 'Changing your password ends all your other sessions.'
            : 'You sign in with a provider and have no password yet.'
        }
      >
        <PasswordChange />
      </Section>
      <Section title="Email" description="Used for sign-in and security notices.">
        <EmailChange />
      </Section>
      <Section title="Phone" description="Receives your test messages.">
        <OwnPhone />
      </Section>
    </>
  );
  return (
    <>
      {!first && credentials}
      <Section title="Authenticator app" description="A six-digit code from your phone, entered after the password.">
        <Authenticator />
      </Section>
      <Section title="Passkeys" description="Your fingerprint, face, or device PIN replaces your password and code.">
        <Passkeys />
      </Section>
      <SignInProviders />
      {first && credentials}
    </>
  );
}
