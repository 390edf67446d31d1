/** Shows the edits of a message with the earlier texts, and the reactions to it. */
import type { Marks, Referral } from '@parley/contract/messages/marks.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import styles from './Thread.module.css';

type Reaction = NonNullable<Marks['reactions']>[number];

function describeReaction({ by, emoji, waiting, refusal }: Reaction): string {
  if (refusal !== undefined) return `Your reaction ${emoji} was not sent: ${refusal}`;
  if (by === 'contact') return `Contact reacted with ${emoji}`;
  return waiting ? `Your company reacted with ${emoji} (not sent yet)` : `Your company reacted with ${emoji}`;
}

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
      {shown.map((reaction) => (
        <Tooltip key={reaction.by} label={describeReaction(reaction)}>
          <span
            className={styles.reaction}
            data-pending={reaction.waiting || reaction.refusal !== undefined || undefined}
            role="img"
            aria-label={describeReaction(reaction)}
          >
            {reaction.emoji}
          </span>
        </Tooltip>
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
