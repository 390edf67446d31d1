/**
 * The command palette's entries besides pages and search results. Each module registers its actions and settings in its
 * `commands.ts`; the page of an open record declares the actions on it. This file does not depend on any module.
 */
import type { Needs } from '@parley/contract/permission.ts';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { rememberRecent } from './recents.ts';
import { useSession } from './session/session.tsx';
import type { Session } from './session/state.ts';

interface Command {
  /** A unique ID, such as "campaigns.create". */
  id: string;
  label: string;
  /** Additional search words. */
  keywords?: string;
  path: string;
  /** The group in which it is listed; actions by default. */
  group?: 'actions' | 'settings';
  /** A setting's current value, shown after the label and searchable: "Europe/Berlin". */
  value?: (session: Session) => string | null;
  needs?: Needs;
  /** Has the same meaning as in the target route's rule. */
  unverified?: boolean;
  main_only?: boolean;
  /** True if it is also offered in the operators' view. */
  operators?: boolean;
}

const commands = new Map<string, Command>();
export function registerCommands(...list: readonly Command[]): void {
  for (const command of list) commands.set(command.id, command);
}
export const allCommands = (): Command[] => [...commands.values()];

/** The record that the page shows. */
export interface OpenRecord {
  /** The kind of record, as in search results: "campaign". */
  kind: string;
  id: string;
  title: string;
  path: string;
}

/** An action on the open record. */
export interface RecordAction {
  label: string;
  keywords?: string;
  /** Why the action is not available; it is not listed then. */
  reason?: string | null | undefined;
  run: () => void;
}

interface Declaration {
  record: OpenRecord;
  latest: { current: readonly RecordAction[] };
}

let declarations: readonly Declaration[] = [];
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
function change(next: readonly Declaration[]): void {
  declarations = next;
  for (const listener of listeners) listener();
}

/** Offers the actions in the palette while the record is open, and adds the record to the recent entries. */
export function useRecordActions(record: OpenRecord | null, actions: readonly RecordAction[]): void {
  const user_id = useSession().user.id;
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const { kind, id, title, path } = record ?? {};
  useEffect(() => {
    if (!kind || !id || !title || !path) return;
    const declaration = { record: { kind, id, title, path }, latest };
    rememberRecent(user_id, declaration.record);
    change([...declarations, declaration]);
    return () => change(declarations.filter((other) => other !== declaration));
  }, [user_id, kind, id, title, path]);
}

/** The open records with their available actions, the one opened last first. */
export const useOpenRecords = (): readonly { record: OpenRecord; actions: readonly RecordAction[] }[] =>
  useSyncExternalStore(subscribe, () => declarations)
    .toReversed()
    .map(({ record, latest }) => ({ record, actions: latest.current.filter(({ reason }) => !reason) }));

let open: 'palette' | 'shortcuts' | null = null;
/** Opens the command palette or the dialog with the page's shortcuts; null closes both. */
export function openOverlay(next: typeof open): void {
  open = next;
  for (const listener of listeners) listener();
}
export const useOverlay = (): typeof open => useSyncExternalStore(subscribe, () => open);
