/** A running import speaks twice a second; its figures are put where they are shown instead of being asked for again. */
import { type AudienceImport, getImport, importProgressed, listImports } from '@parley/contract/audiences/imports.ts';
import type { QueryClient } from '@tanstack/react-query';
import { queryClient, queryKey } from '../../kernel/http/query.ts';
import { onLive, patchesCache } from '../../kernel/live/live.ts';

type Progress = Omit<AudienceImport, 'preview'>;

export function applyProgress(client: QueryClient, progress: Progress): void {
  client.setQueryData<{ data: AudienceImport }>(queryKey(getImport, { params: { id: progress.id } }), (old) =>
    old ? { ...old, data: { ...old.data, ...progress } } : old,
  );
  const known = client.getQueriesData<{ data: AudienceImport[] }>({ queryKey: ['audience_imports', listImports.id] });
  for (const [key, old] of known) {
    if (old?.data.some(({ id }) => id === progress.id))
      client.setQueryData(key, {
        ...old,
        data: old.data.map((one) => (one.id === progress.id ? { ...one, ...progress } : one)),
      });
    // One that the list does not know yet belongs at its top, with a total that only the server knows.
    else void client.invalidateQueries({ queryKey: key, exact: true });
  }
}

patchesCache(importProgressed);
onLive(importProgressed, (progress) => applyProgress(queryClient, progress));
