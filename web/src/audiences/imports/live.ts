/** Writes the progress of running imports, sent twice per second, into the cache instead of refetching it. */
import { type AudienceImport, getImport, importProgressed, listImports } from '@parley/contract/audiences/imports.ts';
import type { QueryClient } from '@tanstack/react-query';
import { queryClient, queryKey } from '../../kernel/http/query.ts';
import { onLive, patchesCache } from '../../kernel/live/live.ts';

type Progress = Omit<AudienceImport, 'preview'>;

export function applyProgress(client: QueryClient, progress: Progress): void {
  client.setQueryData<{ data: AudienceImport }>(queryKey(getImport, { params: { id: progress.id } }), (old) =>
    old ? { ...old, data: { ...old.data, ...progress } } : old,
  );
  const lists = client.getQueriesData<{ data: AudienceImport[] }>({ queryKey: ['audience_imports', listImports.id] });
  for (const [key, old] of lists) {
    if (old?.data.some(({ id }) => id === progress.id))
      client.setQueryData(key, {
        ...old,
        data: old.data.map((row) => (row.id === progress.id ? { ...row, ...progress } : row)),
      });
    // An import that is not in the list yet changes the list's total, which only the server knows.
    else void client.invalidateQueries({ queryKey: key, exact: true });
  }
}

patchesCache(importProgressed);
onLive(importProgressed, (progress) => applyProgress(queryClient, progress));
