/**
 * A menu of actions that opens below its button. Arrow keys, Home, and End move between the actions; Esc, Tab, a click
 * outside, and an action close it. A table shows one per row, so one costs nothing until it opens.
 */
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  type ComponentPropsWithoutRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
} from 'react';
import { focusTarget, useFloating } from './floating.ts';
import styles from './Popup.module.css';

interface TargetProps {
  type: 'button';
  onClick: () => void;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
}

interface ActionMenuProps {
  /** The button, which gets these props. */
  target: (props: TargetProps) => ReactNode;
  /** `ActionItem` elements, and `ActionGroup` and `ActionSeparator` between them. They may load when the menu opens. */
  children: ReactNode;
}

const ITEMS = '[role=menuitem]';
/** An action that leaves the menu open. */
const STAYS = '[data-stays]';

export function ActionMenu({ target, children }: ActionMenuProps) {
  const { opened, open, close, root, rootProps, box, boxProps, targetProps } = useFloating('end');
  const press = (event: KeyboardEvent) => {
    if (!opened) return;
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.stopPropagation();
      close();
      focusTarget(root.current);
      return;
    }
    const items = [...(box.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    items.at(next % items.length)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the button and the menu inside
    <div {...rootProps} className={styles.root} onKeyDown={press}>
      {target({ ...targetProps, onClick: opened ? close : open, 'aria-haspopup': 'menu' })}
      {opened && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: closes after an action, which Enter triggers as a click
        <div
          {...boxProps}
          role="menu"
          className={`${styles.box} ${styles.menu}`}
          onClick={(event) => {
            const item = (event.target as Element).closest(ITEMS);
            if (item && !item.matches(STAYS)) close();
          }}
        >
          <Suspense fallback={<ActionNote>Loading…</ActionNote>}>
            {children}
            <FirstFocus box={box} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

/** Moves the focus to the first action once all of them are there. */
function FirstFocus({ box }: { box: RefObject<HTMLDivElement | null> }) {
  useEffect(() => box.current?.querySelector<HTMLElement>(ITEMS)?.focus({ preventScroll: true }), [box]);
  return null;
}

/** Actions under a label. */
export function ActionGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.label}>
        {label}
      </div>
      {children}
    </div>
  );
}

/** Text between actions. */
export const ActionNote = ({ children }: { children: ReactNode }) => <div className={styles.note}>{children}</div>;

export const ActionSeparator = () => <hr className={styles.separator} />;

interface ActionItemProps extends ComponentPropsWithoutRef<'button'> {
  icon?: ReactNode;
  danger?: boolean | undefined;
  /** Makes the action a link. */
  link?: LinkProps;
  /** Leaves the menu open. */
  stays?: boolean;
}

export function ActionItem({ icon, danger, link, stays, children, ...rest }: ActionItemProps) {
  const props = {
    role: 'menuitem',
    tabIndex: -1,
    className: styles.item,
    'data-danger': danger || undefined,
    'data-stays': stays || undefined,
    // Esc closes the menu only, not the dialog or panel around it.
    'data-mantine-stop-propagation': 'true',
  };
  const content = (
    <>
      {icon}
      {children}
    </>
  );
  // A disabled action has no destination.
  if (link && !rest['aria-disabled']) {
    return (
      <Link {...link} {...props}>
        {content}
      </Link>
    );
  }
  return (
    <button {...rest} type="button" {...props}>
      {content}
    </button>
  );
}
