import { Button } from '@mantine/core';
import { type AUDIENCE_BUCKETS, createRecipientsAudience } from '@parley/contract/campaigns/audiences.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { IconUsersPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { audiencePath } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';

interface AudienceButtonProps {
  campaign: Campaign;
  bucket: (typeof AUDIENCE_BUCKETS)[number];
  /** The filter of the list. */
  filter: Readonly<Record<string, unknown>>;
  isEmpty: boolean;
}

/** Creates an audience of the listed contacts. A default export, because it loads the contract of audiences. */
export default function AudienceButton({ campaign, bucket, filter, isEmpty }: AudienceButtonProps) {
  const navigate = useNavigate();
  const create = useAction(createRecipientsAudience, {
    invalidates: ['audiences'],
    onSuccess: ({ data }) => {
      toast.success(`Audience ${data.name} created`);
      void navigate({ href: audiencePath(data.id) });
    },
  });
  const run = () => create.mutate({ params: { id: campaign.id }, body: { ...filter, bucket } });
  return (
    <Allow needs={createRecipientsAudience.needs} reason={isEmpty ? 'The list has no contacts.' : null}>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconUsersPlus size={15} aria-hidden />}
        loading={create.isPending}
        onClick={run}
      >
        Create audience
      </Button>
    </Allow>
  );
}
