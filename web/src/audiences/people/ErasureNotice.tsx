/** Shows that a number is being erased, or when it was erased. */
import { getPersonErasure } from '@parley/contract/people/erasures.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import styles from '../Audiences.module.css';

export function ErasureNotice({ number }: { number: string }) {
  const query = useEndpoint(getPersonErasure, { params: { id: number } });
  const erasure = query.data?.data.erasure;
  if (!erasure) return null;
  const { status, complete_date, user_name } = erasure;
  if (status === 'completed')
    return (
      <Notice tone="info" className={styles.erasure}>
        Erased on <DateTime value={complete_date} />
        {user_name && (
          <>
            {' by '}
            <bdi>{user_name}</bdi>
          </>
        )}
        . The remaining data is kept as proof.
      </Notice>
    );
  return (
    <Notice tone="wait" className={styles.erasure}>
      {status === 'waiting'
        ? 'The erasure continues once the last messages are sent and imports have ended.'
        : 'This person is being erased. You can close this page.'}
    </Notice>
  );
}
