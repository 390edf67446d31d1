/** Steps of a wizard as places one can go back to with the browser. */
import { useNavigate } from '@tanstack/react-router';
import { linkTo } from '../paths.ts';

/** Opens a step by its place. Where an id is new, the first step gets it in its own place: going back to it must not begin another draft. */
export function useSteps(to: string, keys: readonly string[], known: string | undefined) {
  const navigate = useNavigate();
  const placeOf = (index: number, id: string | undefined) =>
    linkTo(to, { ...(id ? { id } : {}), step: keys[index] ?? keys[0]! });
  return async (index: number, id = known): Promise<void> => {
    if (id !== known) await navigate({ ...placeOf(0, id), replace: true });
    await navigate(placeOf(index, id));
  };
}
