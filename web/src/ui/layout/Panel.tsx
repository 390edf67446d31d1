/** The panel of a record, beside the page or covering it. */
import { ActionIcon, CloseButton, Drawer } from '@mantine/core';
import { useLocalStorage, useMediaQuery, useMergedRef } from '@mantine/hooks';
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, use, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { CopyId } from '../data/CopyId.tsx';
import { Tooltip } from '../feedback/Tooltip.tsx';
import { useKeptFocus, usePanelFocus, usePanelKeys } from './panel_focus.ts';
import { type PanelList, usePanelList } from './panel_list.ts';
import { PanelSlot } from './panel_slot.ts';
import styles from './SidePanel.module.css';
import type { SidePanelProps } from './SidePanel.tsx';

/** The narrowest window in which a list and a panel fit beside each other. */
const WIDE = '(min-width: 992px)';

/** A default export, because it is loaded when the first panel opens. */
export default function Panel({ cover = false, ...props }: SidePanelProps) {
  const slot = use(PanelSlot);
  const isWide = useMediaQuery(WIDE, window.matchMedia?.(WIDE).matches ?? false, { getInitialValueInEffect: false });
  if (!slot || !isWide || cover) return <CoveringPanel {...props} />;
  return props.open ? createPortal(<PanelBeside {...props} />, slot) : null;
}

function PanelBeside({ onClose, title, description, recordId, actions, children }: SidePanelProps) {
  const root = useRef<HTMLElement>(null);
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  useKeptFocus(panel);
  const titleId = useId();
  const list = usePanelList();
  usePanelFocus(root, list);
  usePanelKeys(root, onClose);
  const [isWidened, setWidened] = useLocalStorage({
    key: 'parley.panel_widened',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return (
    <aside
      ref={useMergedRef(root, setPanel)}
      className={styles.beside}
      data-panel
      data-widened={isWidened || undefined}
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <div className={styles.header}>
        <div className={styles.words}>
          {/* Announces the next record when the user steps through the list. */}
          <h2 id={titleId} className={styles.title} aria-live="polite">
            {title}
          </h2>
          <Description recordId={recordId}>{description}</Description>
        </div>
        <div className={styles.tools}>
          <Steps list={list} />
          <Tool
            label={isWidened ? 'Narrow panel' : 'Widen panel'}
            icon={isWidened ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal}
            onClick={() => setWidened(!isWidened)}
          />
          <CloseButton aria-label="Close panel" aria-keyshortcuts="Escape" onClick={onClose} />
        </div>
      </div>
      <div className={styles.body}>{children}</div>
      {actions && <footer className={styles.footer}>{actions}</footer>}
    </aside>
  );
}

function CoveringPanel({ open, onClose, title, description, recordId, actions, children }: SidePanelProps) {
  const list = usePanelList();
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  useKeptFocus(panel);
  return (
    // A plain className on the content would also apply to the surrounding box.
    <Drawer.Root
      opened={open}
      onClose={onClose}
      position="right"
      size={480}
      classNames={{ content: styles.content ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content ref={setPanel} data-panel>
        <Drawer.Header className={styles.header}>
          <div className={styles.words}>
            <Drawer.Title>{title}</Drawer.Title>
            <Description recordId={recordId}>{description}</Description>
          </div>
          <div className={styles.tools}>
            <Steps list={list} />
            {/* Without this mark, the first button of the description would take the focus. */}
            <Drawer.CloseButton aria-label="Close panel" data-autofocus />
          </div>
        </Drawer.Header>
        <Drawer.Body className={styles.body}>{children}</Drawer.Body>
        {actions && <footer className={styles.footer}>{actions}</footer>}
      </Drawer.Content>
    </Drawer.Root>
  );
}

const Description = ({ recordId, children }: { recordId: string | undefined; children: ReactNode }) =>
  (children || recordId) && (
    <div className={styles.description}>
      {children}
      {recordId && <CopyId value={recordId} short />}
    </div>
  );

/** Buttons that open the neighbors of the record, if it is in a list of the page. */
function Steps({ list }: { list: PanelList | null }) {
  if (!list || (!list.previous && !list.next)) return null;
  return (
    <>
      <Tool label="Previous record" shortcut="K" icon={IconChevronUp} onClick={list.previous} />
      <Tool label="Next record" shortcut="J" icon={IconChevronDown} onClick={list.next} />
    </>
  );
}

interface ToolProps {
  label: string;
  shortcut?: string;
  icon: ComponentType<{ size: number; 'aria-hidden': boolean }>;
  /** Null while the action is not available. The button keeps the focus. */
  onClick: (() => void) | null;
}

const Tool = ({ label, shortcut, icon: Icon, onClick }: ToolProps) => (
  <Tooltip label={shortcut ? `${label} (${shortcut})` : label}>
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-disabled={onClick === null || undefined}
      data-disabled={onClick === null || undefined}
      onClick={() => onClick?.()}
    >
      <Icon size={17} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
