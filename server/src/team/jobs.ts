import { job } from '../kernel/jobs/jobs.ts';

/** Unassigns the conversations of a removed user. Implemented by `inbox`, a later module that knows the events. */
export const unassignConversations = job<{ account_id: string; user_id: string }>('team.unassign_conversations');
