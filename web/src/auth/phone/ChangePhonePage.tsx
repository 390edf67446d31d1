import { useRouter } from '@tanstack/react-router';
import { useSession } from '../../kernel/session/session.tsx';
import { SECURITY } from '../../paths.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Auth.module.css';
import { impersonationReason } from '../impersonation.ts';
import { PhoneSteps } from './PhoneSteps.tsx';

/** The same two steps, inside. The number in use stays until the code of the new one is right. */
export default function ChangePhonePage() {
  const { user } = useSession();
  const router = useRouter();
  const entered = impersonationReason(user);
  if (entered)
    return (
      <>
        <PageHeader title="Change your phone number" />
        <Notice tone="info">{entered}</Notice>
      </>
    );
  return (
    <div className={styles.inside}>
      <PhoneSteps
        title={user.phone_number ? 'Change your phone number' : 'Add your phone number'}
        line="We send a code to the new number. Until you enter it nothing changes."
        onDone={() => {
          toast.success('Your phone number was changed');
          router.history.push(SECURITY);
        }}
      />
      {user.phone_number && (
        <p className={styles.foot}>
          In use now: <PhoneNumber value={user.phone_number} />
        </p>
      )}
    </div>
  );
}
