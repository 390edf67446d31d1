import { Button } from '@mantine/core';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { useState } from 'react';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { BlockDialog } from './BlockDialog.tsx';
import { useUserActions } from './user_actions.ts';

/** Blocks, unblocks, or deletes a user. */
export function UserActions({ user, onGone }: { user: TeamUser; onGone: () => void }) {
  const actions = useUserActions(onGone);
  const [isBlocking, setBlocking] = useState(false);
  return (
    <>
      <Disabled reason={actions.deleteReason(user)}>
        <Button variant="default" onClick={() => void actions.remove(user)}>
          Delete
        </Button>
      </Disabled>
      <Disabled reason={actions.blockReason(user)}>
        <Button variant="default" onClick={() => (user.blocked ? actions.unblock(user) : setBlocking(true))}>
          {user.blocked ? 'Unblock' : 'Block'}
        </Button>
      </Disabled>
      <BlockDialog
        user={isBlocking ? user : null}
        busy={actions.busy}
        onClose={() => setBlocking(false)}
        onBlock={(blocked, reason) => actions.block(blocked, reason, () => setBlocking(false))}
      />
    </>
  );
}
