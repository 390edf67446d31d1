/** What the account knows about the contact of a conversation: consent, audiences, campaigns, and notes. */
import { Anchor } from '@mantine/core';
import type { ConsentState } from '@parley/contract/audiences/consents.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type Conversation, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { getSummary, type PersonSummary } from '@parley/contract/people/timeline.ts';
import { Link } from '@tanstack/react-router';
import { CONSENT_STATES, PURPOSE_LABELS } from '../../audiences/people/consent_words.tsx';
import { channelLabel } from '../../channels/index.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, campaignPath, contactPath, conversationPath, linkToAddress } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { ToneBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { PaneSection } from './PaneSection.tsx';
import styles from './PersonSections.module.css';

interface SectionsProps {
  conversation: Conversation;
}

export default function PersonSections({ conversation }: SectionsProps) {
  const reason = useReason(getSummary.needs);
  const query = useEndpoint(getSummary, { params: { id: conversation.number } }, { enabled: reason === null });
  if (reason) return null;
  if (query.error && !query.data)
    return (
      <ErrorState title="The contact could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={4} />;
  return <Sections summary={query.data.data} conversation={conversation} />;
}

function Sections({ summary, conversation }: SectionsProps & { summary: PersonSummary }) {
  const { audiences, campaigns, notes, number, tags } = summary;
  const { user } = useSession();
  return (
    <>
      <Consent summary={summary} channel={conversation.channel} />
      <PaneSection title="Audiences" empty="In no audience">
        {audiences.map(({ id, name, contact_id }) => (
          <li key={id}>
            <Anchor size="sm" component={Link} {...linkToAddress(contactPath(id, contact_id, number))}>
              <bdi>{name}</bdi>
            </Anchor>
          </li>
        ))}
      </PaneSection>
      {tags.length > 0 && (
        <PaneSection title="Tags">
          <li>
            <bdi>{tags.join(', ')}</bdi>
          </li>
        </PaneSection>
      )}
      {campaigns && (
        <PaneSection title="Campaigns" empty="No campaign messages">
          {campaigns.map(({ id, name, channel, timestamp }) => (
            <li key={id} className={styles.row}>
              <Anchor size="sm" component={Link} {...linkToAddress(campaignPath({ id, channel }))}>
                <bdi>{name}</bdi>
              </Anchor>
              <DateTime value={timestamp} />
            </li>
          ))}
        </PaneSection>
      )}
      <PaneSection title="Notes" empty="No notes">
        {notes.map(({ id, text, user_name, timestamp, conversation_id, assignee_id }) => (
          <li key={id} className={styles.note}>
            <p dir="auto">{text}</p>
            <span className={styles.by}>
              <bdi>{user_name ?? 'Deleted user'}</bdi>, <DateTime value={timestamp} />
              {conversation_id !== conversation.id && (
                <>
                  {', '}
                  <Anchor
                    inherit
                    component={Link}
                    {...linkToAddress(
                      conversationPath(BUCKET_PATHS[conversationBucket(assignee_id, user.id)], conversation_id),
                    )}
                  >
                    other conversation
                  </Anchor>
                </>
              )}
            </span>
          </li>
        ))}
      </PaneSection>
    </>
  );
}

/** The consent for the conversation's channel. The person's page has all channels. */
function Consent({ summary, channel }: { summary: PersonSummary; channel: string }) {
  const own = summary.consents.filter((state) => state.channel === channel);
  const others = [...new Set(summary.consents.map((state) => state.channel))].filter((name) => name !== channel);
  return (
    <PaneSection title="Consent" empty={`No consent on record for ${channelLabel(channel)}`}>
      {own.map((state) => (
        <ConsentRow key={state.purpose} state={state} />
      ))}
      {own.length > 0 && others.length > 0 && (
        <li className={styles.by}>
          Also on record: {others.map((name) => channelLabel(name as ChannelName)).join(', ')}
        </li>
      )}
    </PaneSection>
  );
}

function ConsentRow({ state: { purpose, state, consent } }: { state: ConsentState }) {
  const { label, tone } = CONSENT_STATES[state];
  return (
    <li className={styles.row}>
      <span className={styles.consent}>
        {PURPOSE_LABELS[purpose]} <ToneBadge tone={tone}>{label}</ToneBadge>
      </span>
      {consent && <DateTime value={consent.create_date} />}
    </li>
  );
}
