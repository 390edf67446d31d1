/** The numbers of people who were merged into a person, with the merges that can be undone. */
import { Button } from '@mantine/core';
import { listMerges, undoMerge } from '@parley/contract/audiences/merges.ts';
import type { PersonDetail } from '@parley/contract/audiences/people.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Audiences.module.css';

export function OtherNumbers({ person: { id, other_numbers, channel_ids } }: { person: PersonDetail }) {
  const merges = useEndpoint(listMerges, { params: { id } }).data?.data ?? [];
  const reason = useReason(undoMerge.needs);
  const undo = useAction(undoMerge, {
    invalidates: ['people', 'contacts', 'audiences', 'person_timeline', 'consents'],
    onSuccess: () => toast.success('People separated'),
  });
  // The ID of a merged person may be the ID of this person.
  const ids = Object.values(channel_ids).filter((one) => merges.some(({ merged_number }) => merged_number === one));
  const numbers = [...other_numbers, ...ids];
  if (numbers.length === 0) return null;
  return (
    <section aria-labelledby="person-numbers">
      <h2 id="person-numbers" className={styles.rowsTitle}>
        Other numbers
      </h2>
      <ul className={styles.plainList}>
        {numbers.map((number) => {
          const merge = merges.find(({ merged_number }) => merged_number === number);
          return (
            <li key={number}>
              <PhoneNumber value={number} />
              {merge && (
                <p className={styles.cutNote}>
                  Merged <DateTime value={merge.create_date} />.{' '}
                  <Disabled reason={reason}>
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      loading={undo.isPending}
                      onClick={() => undo.mutate({ params: { id: merge.id } })}
                    >
                      Undo merge
                    </Button>
                  </Disabled>
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
