import { listAgents, listTeams } from '@parley/contract/inbox/teams.ts';
import { useMemo } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import type { Names } from './rule_words.ts';

/** The names of the teams and users that rules refer to. */
export function useNames(): Names {
  const teams = useEndpoint(listTeams).data?.data;
  const users = useEndpoint(listAgents).data?.data;
  return useMemo(
    () => ({
      teams: new Map(teams?.map(({ id, name }) => [id, name])),
      users: new Map(users?.map(({ id, full_name }) => [id, full_name])),
    }),
    [teams, users],
  );
}
