import { Button } from '@mantine/core';
import { PROPOSAL_DAYS } from '@parley/contract/admin/balance_proposals.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** Shown in a form after the server has refused its amount for one operator. */
export const ApprovalNotice = ({ sending, onRequest }: { sending: boolean; onRequest: () => void }) => (
  <Notice
    tone="wait"
    action={
      <Button size="xs" variant="default" loading={sending} onClick={onRequest}>
        Request approval
      </Button>
    }
  >
    Another operator must approve this amount within {PROPOSAL_DAYS} days. Nothing changes until then.
  </Notice>
);
