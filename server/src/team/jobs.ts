import { job } from '../kernel/jobs/jobs.ts';

/** Unassigns a removed user's conversations. Implemented by `inbox`, a later module, which emits the events. */
export const unassignConversations = job<{ account_id: string; user_id: string }>('team.unassign_conversations');
