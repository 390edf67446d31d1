/** Sends the message of the draft to phones of the team. */
import { Button, Checkbox, Modal } from '@mantine/core';
import {
  type CampaignTestPhones,
  listTestPhones,
  MAX_TEST_PHONES,
  sendCampaignTest,
} from '@parley/contract/campaigns/test_sends.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../../kernel/http/query.ts';
import { formatCount, formatNumber } from '../../../ui/data/format.ts';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useReturnToOpener } from '../../../ui/feedback/opener.ts';
import { SkeletonLines } from '../../../ui/feedback/Skeletons.tsx';
import { toast } from '../../../ui/feedback/Toasts.tsx';
import type { Draft } from '../draft.ts';
import styles from '../Wizard.module.css';
import { contentRequest } from './content.ts';

const describeLimit = ({ limit, left }: CampaignTestPhones): string =>
  `Test messages are free, up to ${formatNumber(limit)} in 24 hours. ${formatNumber(left)} left.`;

interface TestSendProps {
  channel: ChannelName;
  draft: Draft;
  /** The recipient in the preview, whose values the message gets. */
  offset: number;
  onClose: () => void;
}

/** A default export, because it is loaded when the user asks for it. */
export default function TestSend({ channel, draft, offset, onClose }: TestSendProps) {
  useReturnToOpener();
  const { data, error, refetch } = useEndpoint(listTestPhones, {}, { staleTime: 0 });
  const team = data?.data;
  const [chosen, setChosen] = useState<string[] | null>(null);
  const user_ids = chosen ?? team?.phones.filter(({ mine }) => mine).map(({ user_id }) => user_id) ?? [];
  const send = useAction(sendCampaignTest, {
    onError: () => {},
    onSuccess: ({ data: { sent } }) => {
      toast.success(`Test message sent to ${formatCount(sent, 'phone')}`);
      onClose();
    },
  });
  const submit = () =>
    send.mutate({
      body: {
        ...{ channel, from: draft.sender_id ?? '', user_ids, audience: draft.audience_id, offset },
        ...contentRequest(channel, draft),
      },
    });
  return (
    <Modal opened onClose={onClose} title="Send a test message">
      {error ? (
        <ErrorState title="The phones could not be loaded" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      ) : !team ? (
        <SkeletonLines lines={4} />
      ) : team.phones.length === 0 ? (
        <Notice tone="info">No user of your company has a verified phone. Add yours in Settings, My user.</Notice>
      ) : (
        <div className={styles.fields}>
          <Checkbox.Group
            label="Your team’s phones"
            description={describeLimit(team)}
            value={user_ids}
            onChange={setChosen}
          >
            <div className={styles.phones}>
              {team.phones.map(({ user_id, full_name, number_end, mine }) => (
                <Checkbox
                  key={user_id}
                  value={user_id}
                  label={
                    <>
                      <bdi>{full_name}</bdi>
                      {mine && ' (you)'}, number ending in {number_end}
                    </>
                  }
                  disabled={user_ids.length >= MAX_TEST_PHONES && !user_ids.includes(user_id)}
                />
              ))}
            </div>
          </Checkbox.Group>
          {send.error && <Notice tone="fail">{send.error.message}</Notice>}
          <div className={styles.dialogButtons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={send.isPending} disabled={user_ids.length === 0} onClick={submit}>
              Send test message
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
