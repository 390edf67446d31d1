import { Button } from '@mantine/core';
import { type Campaign, getCampaign } from '@parley/contract/campaigns/campaigns.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconSend } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { campaignsPath } from '../../paths.ts';
import { useZone } from '../../ui/data/zone.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import { isEditable } from '../editable.ts';
import { useRouteChannel } from '../route_channel.ts';
import { CampaignWizard } from './CampaignWizard.tsx';
import { copyName, MAX_NAME, newDraft, toDraft } from './draft.ts';
import styles from './Wizard.module.css';

/**
 * Creates a campaign. `?id=` edits a campaign that has not started, `?copy=` starts from the content of another
 * campaign, `?audience=` with an audience, and `?text=` with a text and a `name`.
 */
function CreateCampaignPage({ channel }: { channel: ChannelName }) {
  const { id, copy, audience, text, name = '' } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const { account } = useSession();
  const source = id ?? copy;
  return source ? (
    <FromCampaign key={source} channel={channel} source={source} copies={id === undefined} />
  ) : text ? (
    <CampaignWizard
      key={text}
      channel={channel}
      id={null}
      about={`text.${text}`}
      initial={{ ...newDraft(account), name: name.slice(0, MAX_NAME), text }}
    />
  ) : (
    <CampaignWizard
      key={audience}
      channel={channel}
      id={null}
      about={audience ? `audience.${audience}` : 'new'}
      initial={{ ...newDraft(account), audience_id: audience ?? null }}
    />
  );
}

function FromCampaign({ channel, source, copies }: { channel: ChannelName; source: string; copies: boolean }) {
  const zone = useZone();
  const query = useEndpoint(getCampaign, { params: { id: source } }, { staleTime: 0 });
  // The wizard starts with fresh data rather than cached data. Later updates do not change what the user is editing.
  const [campaign, setCampaign] = useState<Campaign>();
  const fresh = query.isFetching ? undefined : query.data?.data;
  if (fresh && !campaign) setCampaign(fresh);
  if (campaign && (copies || isEditable(campaign))) {
    const draft = toDraft(campaign, zone);
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
  const skeleton = <SkeletonFields count={4} />;
  const list = { to: campaignsPath(channel), label: 'All campaigns' };
  return (
    <main className={styles.alone}>
      <RecordPage query={query} noun="campaign" icon={IconSend} list={list} skeleton={skeleton}>
        {() => (campaign ? <Started campaign={campaign} list={list} /> : skeleton)}
      </RecordPage>
    </main>
  );
}

function Started({ campaign, list }: { campaign: Campaign; list: { to: string; label: string } }) {
  const back = (
    <Button variant="default" component={Link} to={list.to}>
      {list.label}
    </Button>
  );
  return (
    <EmptyState heading icon={IconSend} title={`${campaign.name} has started`} action={back}>
      Its content can no longer be changed. Duplicate it to send a similar campaign.
    </EmptyState>
  );
}

export default function CreateChannelCampaignPage() {
  const channel = useRouteChannel();
  return <CreateCampaignPage key={channel} channel={channel} />;
}
