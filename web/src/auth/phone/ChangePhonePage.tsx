import { useRouter } from '@tanstack/react-router';
import { useSession } from '../../kernel/session/session.tsx';
import { SECURITY } from '../../paths.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Auth.module.css';
import { impersonationReason } from '../impersonation.ts';
import { PhoneSteps } from './PhoneSteps.tsx';

/** Changes the phone number of a signed-in user. The current number stays until the new one is confirmed. */
export default function ChangePhonePage() {
  const { user } = useSession();
  const router = useRouter();
  const blockedReason = impersonationReason(user);
  if (blockedReason)
    return (
      <>
        <Back to={SECURITY}>Security</Back>
        <PageHeader title="Change your phone number" />
        <Notice tone="info">{blockedReason}</Notice>
      </>
    );
  return (
    <div className={styles.inside}>
      <Back to={SECURITY}>Security</Back>
      <PhoneSteps
        title={user.phone_number ? 'Change your phone number' : 'Add your phone number'}
        description={
          user.phone_number
            ? 'We’ll text a code to the new number. Your current number stays active until you enter the code.'
            : 'We’ll text you a code to verify the number.'
        }
        onDone={() => {
          toast.success('Your phone number was changed');
          router.history.push(SECURITY);
        }}
      />
      {user.phone_number && (
        <p className={styles.foot}>
          Current number: <PhoneNumber value={user.phone_number} />
        </p>
      )}
    </div>
  );
}
