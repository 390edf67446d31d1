/** How one signs in and where one is signed in. All of it belongs to the person, not to one company. */

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
import { SignIns } from './SignIns.tsx';

export default function SecurityPage() {
  const { user } = useSession();
  const entered = impersonationReason(user);
  return (
    <SettingsLayout title="Security" description="How you sign in, and where you are signed in.">
      {entered ? (
        <Notice tone="info">{entered}</Notice>
      ) : (
        <>
          {user.pending === 'second_factor' && (
            <Notice tone="wait" className={styles.first}>
              Your account asks everybody for a second factor. Set up an authenticator app or a passkey here; then
              everything else opens.
            </Notice>
          )}
          <Factors first={user.pending === 'second_factor'} />
          <Section title="Sessions" line="Where you are signed in now. End what you do not know.">
            <Sessions />
          </Section>
          <Section title="Your data" line="Everything that is kept about you as a person, in one file.">
            <PersonalData />
          </Section>
        </>
      )}
    </SettingsLayout>
  );
}

/** What somebody was sent here for stands first. */
function Factors({ first }: { first: boolean }) {
  const { user } = useSession();
  const known = (
    <>
      <Section
        title="Password"
        line={user.has_password ? 'Changing it ends all your other sessions.' : 'You sign in by a provider so far.'}
      >
        <PasswordChange />
      </Section>
      <Section title="Email" line="You sign in with it, and notices about your security go to it.">
        <EmailChange />
      </Section>
      <Section title="Phone" line="Test messages go to it while you try things out.">
        <OwnPhone />
      </Section>
    </>
  );
  return (
    <>
      {!first && known}
      <Section title="Authenticator app" line="A code of six digits from your phone, asked for after the password.">
        <Authenticator />
      </Section>
      <Section title="Passkeys" line="Fingerprint, face or device code instead of the password and the second factor.">
        <Passkeys />
      </Section>
      <SignIns />
      {first && known}
    </>
  );
}
