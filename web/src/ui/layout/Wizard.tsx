/**
 * Full-screen steps with the form on the left and the preview on the right. `onNext` validates the step and returns
 * what blocks it; the caller owns the active step and moves on if nothing blocks it. The summary above the form links
 * to the invalid fields, and the first of them is focused. Other blockers are above the buttons. Ctrl/Cmd Enter
 * activates Next. Esc does not close the wizard, so that no work is lost.
 */
import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { createContext, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Disabled } from '../feedback/Disabled.tsx';
import { ErrorSummary } from '../form/ErrorSummary.tsx';
import { type FieldIssue, focusFirstIssue, listIssues } from '../form/form_errors.ts';
import styles from './Wizard.module.css';

interface WizardStep {
  key: string;
  label: string;
}

export interface Blocker {
  key: string;
  text: ReactNode;
  /** The field of this step that shows the text as its error. */
  field?: string;
  /** The link or button for fixing the blocker. */
  fix?: ReactNode;
}

interface WizardProps {
  title: string;
  steps: readonly WizardStep[];
  active: number;
  onStep: (index: number) => void;
  /** Validates the active step and moves on if nothing blocks it. */
  onNext: () => undefined | Blocker[] | Promise<undefined | Blocker[]>;
  onClose: () => void;
  /** The label of the last step's button, which states what will happen, such as "Send to 1,204 people for $18.06". */
  lastLabel: string;
  nextLabel?: string;
  /** Why the user cannot finish the step yet. */
  nextReason?: string | null;
  /** A note beside the buttons, such as "Draft saved". */
  note?: ReactNode;
  aside?: ReactNode;
  /** Use `section` in a page that already has a main landmark. */
  as?: 'main' | 'section';
  children: ReactNode;
}

/** What the button of a step does, for a part of the step that offers the same. */
export const WizardNext = createContext<{ label: string; reason: string | null; run: () => Promise<void> } | null>(
  null,
);

export function Wizard(props: WizardProps) {
  const { title, steps, active, onStep, onNext, onClose, lastLabel, nextLabel = 'Next', nextReason } = props;
  const { note, aside, as: Main = 'main' } = props;
  const form = useRef<HTMLElement>(null);
  const { blockers, issues, show } = useBlockers(form);
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstRender = useRef(true);
  const step = steps[active];

  // The heading's focus announces a new step; the first step leaves the focus where the page put it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the step changes
  useEffect(() => {
    show([]);
    if (isFirstRender.current) isFirstRender.current = false;
    else heading.current?.focus();
  }, [active]);

  const next = async () => {
    if (busy || nextReason) return;
    setBusy(true);
    try {
      show((await onNext()) ?? []);
    } finally {
      setBusy(false);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void next();
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the whole page; its button is below
    <div className={styles.root} onKeyDown={press}>
      <Header title={title} steps={steps} active={active} onStep={onStep} onClose={onClose} />
      <Main className={styles.main} data-aside={aside ? true : undefined}>
        <section ref={form} className={styles.form} aria-label={step?.label}>
          <h2 ref={heading} tabIndex={-1} className={styles.heading}>
            {step?.label}
          </h2>
          {issues.length > 0 && (
            <div className={styles.summary}>
              <ErrorSummary issues={issues} />
            </div>
          )}
          <WizardNext value={{ label: lastLabel, reason: nextReason ?? null, run: next }}>{props.children}</WizardNext>
        </section>
        {aside && (
          <aside className={styles.aside} aria-label="Preview">
            {aside}
          </aside>
        )}
      </Main>
      <footer className={styles.footer}>
        <Blockers blockers={blockers} />
        <div className={styles.buttons}>
          <span className={styles.note}>{note}</span>
          {active > 0 && (
            <Button variant="default" onClick={() => onStep(active - 1)}>
              Back
            </Button>
          )}
          <Disabled reason={nextReason}>
            <Button onClick={() => void next()} loading={busy}>
              {active === steps.length - 1 ? lastLabel : nextLabel}
            </Button>
          </Disabled>
        </div>
      </footer>
    </div>
  );
}

/** Splits what blocks a step into errors of fields, for the summary, and the rest. */
function useBlockers(form: RefObject<HTMLElement | null>) {
  const [blockers, setBlockers] = useState<readonly Blocker[]>([]);
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const show = (next: readonly Blocker[]) => {
    const errors = Object.fromEntries(next.flatMap(({ field, text }) => (field ? [[field, text]] : [])));
    const fieldIssues = listIssues(errors, (name) => fieldName(name), form.current ?? document);
    setIssues(fieldIssues);
    setBlockers(next.filter(({ field }) => !field));
    focusFirstIssue(fieldIssues, form.current ?? document);
  };
  return { blockers, issues, show };
}

const fieldName = (name: string): string => name.split('.').at(-1)!.replaceAll('_', ' ');

type HeaderProps = Pick<WizardProps, 'title' | 'steps' | 'active' | 'onStep' | 'onClose'>;

function Header({ title, steps, active, onStep, onClose }: HeaderProps) {
  return (
    <header className={styles.header}>
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      <ol className={styles.steps} aria-label="Steps">
        {steps.map((item, index) => (
          <li key={item.key} className={styles.step} data-state={stepState(index, active)}>
            <button
              type="button"
              className={styles.stepButton}
              disabled={index >= active}
              aria-current={index === active ? 'step' : undefined}
              onClick={() => onStep(index)}
            >
              <span className={styles.number}>
                {index < active ? <IconCheck size={13} stroke={2.6} aria-hidden /> : index + 1}
              </span>{' '}
              <span className={styles.stepLabel}>{item.label}</span>
            </button>
          </li>
        ))}
      </ol>
      <ActionIcon className={styles.close} size={34} aria-label="Close" onClick={onClose}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </header>
  );
}

function Blockers({ blockers }: { blockers: readonly Blocker[] }) {
  if (blockers.length === 0) return null;
  return (
    <div role="alert">
      <ul className={styles.blockers}>
        {blockers.map((blocker) => (
          <li key={blocker.key}>
            <IconAlertTriangle size={15} aria-hidden />
            <span>{blocker.text}</span>
            {blocker.fix}
          </li>
        ))}
      </ul>
    </div>
  );
}

const stepState = (index: number, active: number): string =>
  index < active ? 'done' : index === active ? 'current' : 'upcoming';
