/** The keyboard shortcuts of the open page, by group. A default export, because it is loaded lazily. */
import { Modal } from '@mantine/core';
import { Fragment } from 'react';
import { manualPath, useManualPart } from '../../help/manual/parts.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { shortcutKeys, useShortcutGroups } from '../../kernel/shortcuts.ts';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import styles from './Shortcuts.module.css';

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
};

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const groups = useShortcutGroups();
  const part = useManualPart(useSession().admin);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={520}>
      {groups.map(({ name, shortcuts }) => (
        <section key={name} className={styles.group}>
          <h3 className={styles.name}>{name}</h3>
          <dl className={styles.list}>
            {shortcuts.map((shortcut) => (
              <div key={shortcut.label} className={styles.row}>
                <dt>{shortcut.label}</dt>
                <dd className={styles.keys}>
                  {shortcutKeys(shortcut).map((key, at) => (
                    <Fragment key={key}>
                      {at > 0 && <span className={styles.or}>or</span>}
                      <KeyHint keys={key.split('+').map((part) => KEY_NAMES[part] ?? part)} />
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <a className={styles.manual} href={manualPath(part)} target="_blank" rel="noreferrer">
        Help with this page
      </a>
    </Modal>
  );
}
