import { useNavigate, useSearch } from '@tanstack/react-router';
import { STEPS } from './checks.ts';

const stepIndex = (key: string | undefined): number =>
  Math.max(
    0,
    STEPS.findIndex((step) => step.key === key),
  );

export interface StepState {
  active: number;
  setActive: (index: number) => void;
  goTo: (key: string) => void;
}

/**
 * The open step is part of the URL. A reload stays on it, and the browser's Back button returns to the previous step.
 */
export function useStep(): StepState {
  const search = useSearch({ strict: false }) as { step?: string };
  const navigate = useNavigate();
  const setActive = (index: number) =>
    void navigate({
      to: '.',
      search: ((old: Record<string, unknown>) => ({
        ...old,
        step: index === 0 ? undefined : STEPS[index]?.key,
      })) as never,
    });
  return { active: stepIndex(search.step), setActive, goTo: (key) => setActive(stepIndex(key)) };
}
