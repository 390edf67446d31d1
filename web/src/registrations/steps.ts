/** Keeps the step of a wizard in the URL, so that the browser's Back button works. */
import { useNavigate } from '@tanstack/react-router';
import { linkTo } from '../paths.ts';

/**
 * Returns a function that opens a step. For a new ID, the history entry of the first step is replaced with one that
 * contains the ID, so that going back does not create another draft.
 */
export function useSteps(to: string, keys: readonly string[], currentId: string | undefined) {
  const navigate = useNavigate();
  const stepLink = (index: number, id: string | undefined) =>
    linkTo(to, { ...(id ? { id } : {}), step: keys[index] ?? keys[0]! });
  return async (index: number, id = currentId): Promise<void> => {
    if (id !== currentId) await navigate({ ...stepLink(0, id), replace: true });
    await navigate(stepLink(index, id));
  };
}
