import { job } from '../kernel/jobs/jobs.ts';

/** Somebody has left: what was theirs in the inbox is nobody's. Worked in inbox, which stands above and knows the events. */
export const unassignConversations = job<{ account_id: string; user_id: string }>('team.unassign_conversations');
