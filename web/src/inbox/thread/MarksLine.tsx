/** Shows the edits of a message with the earlier texts, and the reactions to it. */
import type { Marks, Referral } from '@parley/contract/messages/marks.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import styles from './Thread.module.css';

const REACTED: Record<'contact' | 'business', string> = { contact: 'Contact', business: 'Phone app' };

export function MarksLine({ marks: { edits = [], reactions = [], deleted } }: { marks: Marks }) {
  const shown = reactions.filter(({ emoji }) => emoji !== '');
  const isEdited = edits.length > 0 && !deleted;
  if (!isEdited && shown.length === 0) return null;
  return (
    <p className={styles.meta}>
      {isEdited && (
        <Tooltip label={`Before: ${edits.map(({ text }) => text).join(' → ')}`}>
          <span>Edited</span>
        </Tooltip>
      )}
      {shown.map(({ by, emoji }) => (
        <span key={by} className={styles.reaction} role="img" aria-label={`${REACTED[by]} reacted with ${emoji}`}>
          {emoji}
        </span>
      ))}
    </p>
  );
}

/** Shows the ad or post from which the contact wrote. Its link opens only when the user selects it. */
export function ReferralLine({ referral }: { referral: Referral }) {
  const { source_type, headline, body, source_url } = referral;
  const kind = source_type === 'post' ? 'post' : 'ad';
  return (
    <span className={styles.mark}>
      From {kind === 'ad' ? 'an ad' : 'a post'}
      {headline && `: ${headline}`}
      {body && ` – ${body}`}{' '}
      {/^https?:\/\//.test(source_url) && (
        <a href={source_url} target="_blank" rel="noopener noreferrer nofollow">
          View {kind}
        </a>
      )}
    </span>
  );
}
