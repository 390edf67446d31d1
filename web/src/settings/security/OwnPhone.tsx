import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../kernel/session/session.tsx';
import { CHANGE_PHONE } from '../../paths.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import styles from '../Settings.module.css';

export function OwnPhone() {
  const { user } = useSession();
  return (
    <div className={styles.fact}>
      <span className={styles.factValue}>
        {user.phone_number ? <PhoneNumber value={user.phone_number} /> : 'No phone number yet'}
      </span>
      <Button component={Link} to={CHANGE_PHONE} variant="default" size="xs">
        {user.phone_number ? 'Change phone' : 'Add phone'}
      </Button>
    </div>
  );
}
