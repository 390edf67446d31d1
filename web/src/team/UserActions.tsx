import { Button } from '@mantine/core';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { useState } from 'react';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { useUserActs } from './acts.ts';
import { BlockDialog } from './BlockDialog.tsx';

export { nameOf } from './acts.ts';

/** What can be done to a user besides changing them. */
export function UserActions({ user, onGone }: { user: TeamUser; onGone: () => void }) {
  const acts = useUserActs(onGone);
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Disabled reason={acts.deleteReason(user)}>
        <Button variant="default" onClick={() => void acts.remove(user)}>
          Delete
        </Button>
      </Disabled>
      <Disabled reason={acts.blockReason(user)}>
        <Button variant="default" onClick={() => (user.blocked ? acts.unblock(user) : setAsked(true))}>
          {user.blocked ? 'Unblock' : 'Block'}
        </Button>
      </Disabled>
      <BlockDialog
        user={asked ? user : null}
        busy={acts.busy}
        onClose={() => setAsked(false)}
        onBlock={(one, reason) => acts.block(one, reason, () => setAsked(false))}
      />
    </>
  );
}
