/** The page that sends tests on one channel. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { getTryItNow } from '@parley/contract/messages/try_it_now.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { TRY_IT } from '../paths.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { TestForm } from './TestForm.tsx';

export function TestPage({ channel }: { channel: ChannelName }) {
  const query = useEndpoint(getTryItNow, { params: { channel } }, { staleTime: 0 });
  const state = query.data?.data;
  return (
    <>
      <Back to={TRY_IT}>All channels</Back>
      <PageHeader
        title={`Try ${channelRules(channel).label} now`}
        description="Send free tests to your own phone. The preview shows what arrives."
      />
      {state ? (
        <TestForm key={channel} channel={channel} state={state} />
      ) : query.error ? (
        <ErrorState
          title="The test page could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}
