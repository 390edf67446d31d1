/** One channel tried: what is sent and to which of one's own phones on the left, the phone with all that comes and goes on the right. */
import { Button } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { getTryItNow } from '@parley/contract/messages/try_it_now.ts';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { TestForm } from './TestForm.tsx';
import styles from './TryItNow.module.css';

export function TestPage({ channel }: { channel: ChannelName }) {
  const answer = useEndpoint(getTryItNow, { params: { channel } }, { staleTime: 0 });
  const state = answer.data?.data;
  const { label } = channelRules(channel);
  return (
    <>
      <Button
        className={styles.back}
        component={Link}
        to="/try-it-now"
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft size={15} aria-hidden />}
      >
        All channels
      </Button>
      <PageHeader
        title={`Try ${label} now`}
        description="To your own phone, free of charge. What arrives is shown beside it."
      />
      {state ? (
        <TestForm key={channel} channel={channel} state={state} />
      ) : answer.error ? (
        <ErrorState title="It cannot be tried at the moment" onRetry={() => void answer.refetch()}>
          {answer.error.message}
        </ErrorState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}
