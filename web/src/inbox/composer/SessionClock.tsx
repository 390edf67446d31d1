import { channelRules } from '@parley/contract/channels/index.ts';
import { type Conversation, isSessionOpen } from '@parley/contract/inbox/inbox.ts';
import { IconHourglass } from '@tabler/icons-react';
import { formatDuration, formatExact, instant } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { useNow } from '../status/Waiting.tsx';
import foot from './Foot.module.css';

/** The remaining time from which the clock has the warning color. */
const SOON_S = 3_600;

/** How long the open session of a conversation lasts: "5 h 12 min left". Channels without sessions have no clock. */
export function SessionClock({ conversation: { channel, session } }: { conversation: Conversation }) {
  const zone = useZone();
  const until = session?.until ?? null;
  const now = useNow(until !== null);
  if (until === null || !isSessionOpen(session, new Date(now))) return null;
  const seconds = Math.floor((instant(until).getTime() - now) / 60_000) * 60;
  const { label, session: rules } = channelRules(channel);
  const after =
    rules?.outside === 'templates' ? 'only templates can be sent' : 'replies are sent as promotional messages';
  return (
    <Tooltip label={`The ${label} session ends ${formatExact(until, zone)}. After that, ${after}.`}>
      <span className={foot.session} data-soon={seconds < SOON_S || undefined}>
        <IconHourglass size={13} aria-hidden />
        {formatDuration(seconds)} left
      </span>
    </Tooltip>
  );
}
