/** The sections of the manual that match a text. Its texts load with the first search. */
import { IconBook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { loadManual, searchManual } from '../../help/manual/manual.ts';
import { manualPath } from '../../help/manual/parts.ts';
import { useSession } from '../../kernel/session/session.tsx';
import type { Entry } from './entries.ts';

const MIN_LENGTH = 3;
const MAX_SECTIONS = 4;

export function useManualEntries(text: string): Entry[] {
  const { admin } = useSession();
  const query = text.trim();
  const isSearched = query.length >= MIN_LENGTH;
  const { data } = useQuery({
    queryKey: ['manual', admin],
    queryFn: () => loadManual(admin),
    enabled: isSearched,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data || !isSearched) return [];
  return searchManual(data, query)
    .filter(({ page }) => page.id !== 'whats-new')
    .slice(0, MAX_SECTIONS)
    .map(({ page, section }) => ({
      id: `manual.${page.id}#${section.id}`,
      group: 'User manual',
      label: section.title,
      detail: section.id ? page.title : undefined,
      icon: IconBook,
      run: () => void window.open(manualPath(section.id ? `${page.id}#${section.id}` : page.id), '_blank', 'noopener'),
    }));
}
