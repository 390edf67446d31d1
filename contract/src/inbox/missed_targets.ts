/** Conversations that have missed a target. */
import { z } from 'zod';
import { timestamp } from '../common.ts';
import { event } from '../event.ts';
import { isVisible } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';
import { TARGETS } from './targets.ts';

/** Sent once for each target that a conversation misses, within about a minute. */
export const targetMissed = event({
  id: 'conversation_target.missed',
  modules: ['conversation_entries'],
  needs: INBOX_NEEDS,
  payload: z.object({
    /** The ID of the entry in the conversation. */
    id: z.string(),
    conversation_id: z.string(),
    assignee_id: z.string().nullable(),
    /** The name or number of the contact. */
    contact: z.string(),
    target: z.enum(TARGETS),
    due: timestamp,
  }),
  visible: isVisible,
});

/** The clocks of many conversations changed, because the targets or the office hours did. */
export const targetsChanged = event({
  id: 'inbox_targets.changed',
  modules: ['conversations'],
  needs: INBOX_NEEDS,
  payload: z.object({ id: z.string() }),
});
