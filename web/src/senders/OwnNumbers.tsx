/** Numbers the company has elsewhere and has shown to be its own: what a sender of WhatsApp can be made of. */
import { listOwnNumbers } from '@parley/contract/registrations/access.ts';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { linkTo, SENDERS } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import styles from './Senders.module.css';

/** Nothing at all while there are none: the list above says how one gets a number. */
export function OwnNumbers() {
  const own = useEndpoint(listOwnNumbers).data?.data.filter(({ source }) => source === 'own') ?? [];
  if (own.length === 0) return null;
  return (
    <section className={styles.own} aria-labelledby="own-numbers">
      <h2 id="own-numbers" className={styles.heading}>
        Numbers you have elsewhere
      </h2>
      <p className={styles.hint}>Verified by a code. They can become senders of WhatsApp.</p>
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
                  <Link {...linkTo(SENDERS, { open: sender_id })}>WhatsApp sender</Link>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
