import { Button } from '@mantine/core';
import { type Campaign, getCampaign } from '@parley/contract/campaigns/campaigns.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconSend } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { campaignsPath } from '../../paths.ts';
import { useZone } from '../../ui/data/zone.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import { isEditable } from '../editable.ts';
import { CampaignWizard } from './CampaignWizard.tsx';
import { copyName, draftOf } from './draft.ts';
import styles from './Wizard.module.css';

/** New, `?id=` goes on with a campaign that has not started, `?copy=` begins with what another one had. */
export function CreateCampaignPage({ channel }: { channel: ChannelName }) {
  const { id, copy } = useSearch({ strict: false }) as { id?: string; copy?: string };
  const source = id ?? copy;
  return source ? (
    <From key={source} channel={channel} source={source} copies={id === undefined} />
  ) : (
    <CampaignWizard channel={channel} id={null} about="new" />
  );
}

function From({ channel, source, copies }: { channel: ChannelName; source: string; copies: boolean }) {
  const zone = useZone();
  const answer = useEndpoint(getCampaign, { params: { id: source } }, { staleTime: 0 });
  // What is edited begins with what is there now, not with what was shown a while ago; later changes do not disturb the one who writes.
  const [campaign, setCampaign] = useState<Campaign>();
  const fresh = answer.isFetching ? undefined : answer.data?.data;
  if (fresh && !campaign) setCampaign(fresh);
  const back = (
    <Button variant="default" component={Link} to={campaignsPath(channel)}>
      All campaigns
    </Button>
  );
  if (campaign && (copies || isEditable(campaign))) {
    const draft = draftOf(campaign, zone);
    return copies ? (
      <CampaignWizard
        channel={channel}
        id={null}
        about={`copy.${source}`}
        initial={{ ...draft, name: copyName(draft.name), when: 'now', local: '' }}
      />
    ) : (
      <CampaignWizard channel={channel} id={source} about={source} initial={draft} />
    );
  }
  return (
    <main className={styles.alone}>
      {campaign ? (
        <EmptyState icon={IconSend} title={`${campaign.name} has started`} action={back}>
          What it sends can no longer be changed. Duplicate it to send something like it.
        </EmptyState>
      ) : answer.error?.status === 404 || answer.error?.status === 400 ? (
        <EmptyState icon={IconSend} title="There is no such campaign" action={back} />
      ) : answer.error ? (
        <ErrorState
          title="The campaign could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={4} />
      )}
    </main>
  );
}

export default function CreateSmsCampaignPage() {
  return <CreateCampaignPage channel="SMS" />;
}
