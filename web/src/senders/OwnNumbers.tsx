/** Numbers from other providers that the company has verified. They can become business senders. */
import { listOwnNumbers } from '@parley/contract/registrations/access.ts';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { linkTo, SENDERS } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { OWN_NUMBER_CHANNELS } from './labels.ts';
import styles from './Senders.module.css';

/** Shows nothing if there are no numbers, because the list above explains how to get one. */
export function OwnNumbers() {
  const own = useEndpoint(listOwnNumbers).data?.data.filter(({ source }) => source === 'own') ?? [];
  if (own.length === 0) return null;
  return (
    <section className={styles.own} aria-labelledby="own-numbers">
      <h2 id="own-numbers" className={styles.heading}>
        Numbers from other providers
      </h2>
      <p className={styles.hint}>
        You verified these numbers with a code. They can become {OWN_NUMBER_CHANNELS} senders.
      </p>
      <ul className={styles.files}>
        {own.map(({ number, verify_date, sender_id }) => (
          <li key={number}>
            <PhoneNumber value={number} />
            <span className={styles.hint}>
              {verify_date && (
                <>
                  Verified <DateTime value={verify_date} show="date" />
                </>
              )}
              {sender_id && (
                <>
                  {' · '}
                  <Link {...linkTo(SENDERS, { open: sender_id })}>{OWN_NUMBER_CHANNELS} sender</Link>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
