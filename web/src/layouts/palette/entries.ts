/** The entries of the palette that need no request: the open record, recent entries, pages, actions, and settings. */
import type { IconProps } from '@tabler/icons-react';
import {
  IconAddressBook,
  IconBolt,
  IconBuilding,
  IconCards,
  IconFileText,
  IconHash,
  IconKeyboard,
  IconMessage,
  IconMessages,
  IconMoon,
  IconPlayerPlay,
  IconSettings,
  IconSpeakerphone,
  IconTemplate,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { allCommands, openOverlay, useOpenRecords } from '../../kernel/commands.ts';
import { readRecents } from '../../kernel/recents.ts';
import { isAbsent, routeReason } from '../../kernel/session/routes.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { ADMIN_NAV, NAV, type NavItem, TRY_IT_NOW } from '../../nav.ts';
import { useAppearance } from '../../ui/theme/appearance.ts';

export interface Entry {
  id: string;
  group: string;
  label: string;
  /** Shown at the right end: a value, a number, the beginning of a text. */
  detail?: string | undefined;
  /** Additional search words. */
  keywords?: string | undefined;
  icon: ComponentType<IconProps>;
  /** Marks the value that is set now. */
  isCurrent?: boolean;
  /** Offered only for a search text that matches. */
  isHidden?: boolean;
  /** Set for entries that lead to a page; they are remembered as recent. */
  target?: { kind: string; path: string };
  run: () => void;
}

const ICONS: Readonly<Record<string, ComponentType<IconProps>>> = {
  page: IconFileText,
  campaign: IconSpeakerphone,
  conversation: IconMessages,
  contact: IconUser,
  audience: IconAddressBook,
  template: IconTemplate,
  sender: IconCards,
  message: IconMessage,
  number: IconHash,
  account: IconBuilding,
};
export const kindIcon = (kind: string): ComponentType<IconProps> => ICONS[kind] ?? IconFileText;

/** Opens a path that may contain a query. */
export function useOpenPath(): (path: string) => void {
  const navigate = useNavigate();
  return (path) => void navigate({ href: path });
}

export function useLocalEntries(): Entry[] {
  const records = useRecordEntries();
  const recent = useRecentEntries();
  const pages = usePageEntries();
  const commands = useCommandEntries();
  const appearance = useAppearanceEntries();
  return [...records, ...recent, ...commands.actions, ...pages, ...commands.settings, ...appearance];
}

const useRecordEntries = (): Entry[] =>
  useOpenRecords().flatMap(({ record, actions }) =>
    actions.map(({ label, keywords, run }) => ({
      id: `record.${record.id}.${label}`,
      group: `This ${record.kind}: ${record.title}`,
      label,
      keywords: `${keywords ?? ''} ${record.kind} ${record.title}`,
      icon: IconPlayerPlay,
      run,
    })),
  );

/** Without the page that is open. */
function useRecentEntries(): Entry[] {
  const { user } = useSession();
  const open = useOpenPath();
  const records = useOpenRecords();
  return readRecents(user.id)
    .filter(({ kind, id }) => records.every(({ record }) => record.kind !== kind || record.id !== id))
    .map(({ kind, id, title, path }) => ({
      id: `recent.${kind}.${id}`,
      group: 'Recent',
      label: title,
      detail: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
      icon: kindIcon(kind),
      target: { kind, path },
      run: () => open(path),
    }));
}

/** The pages that the user may open. */
function usePageEntries(): Entry[] {
  const session = useSession();
  const router = useRouter();
  const open = useOpenPath();
  const groups = session.admin ? ADMIN_NAV : [[TRY_IT_NOW], ...NAV];
  const toEntries = (items: readonly NavItem[], parent?: NavItem): Entry[] =>
    items.flatMap((item) => {
      if (item.children) return toEntries(item.children, item);
      if (!(item.path in router.routesByPath) || routeReason(item, session) !== null) return [];
      return [
        {
          id: `page.${item.path}`,
          group: 'Pages',
          label: parent ? `${parent.label}: ${item.label.charAt(0).toLowerCase()}${item.label.slice(1)}` : item.label,
          keywords: item.channel ? 'campaigns' : '',
          icon: item.icon ?? parent?.icon ?? (item.channel ? IconSpeakerphone : IconFileText),
          target: { kind: 'page', path: item.path },
          run: () => open(item.path),
        },
      ];
    });
  return [
    {
      id: 'page./',
      group: 'Pages',
      label: session.admin ? 'Home' : 'Dashboard',
      icon: IconFileText,
      target: { kind: 'page', path: '/' },
      run: () => open('/'),
    },
    ...toEntries(groups.flat()),
  ];
}

/** The actions and settings that the user may open. */
function useCommandEntries(): { actions: Entry[]; settings: Entry[] } {
  const session = useSession();
  const open = useOpenPath();
  const entries = allCommands()
    .filter((command) => !session.admin || command.operators)
    .filter((command) => !isAbsent(command, session) && routeReason(command, session) === null)
    .map(({ id, label, keywords, path, group = 'actions', value }): Entry => {
      const isSetting = group === 'settings';
      return {
        id,
        group: isSetting ? 'Settings' : 'Actions',
        label,
        detail: value?.(session) || undefined,
        keywords,
        icon: isSetting ? IconSettings : IconBolt,
        isHidden: value !== undefined,
        ...(isSetting ? { target: { kind: 'page', path } } : {}),
        run: () => open(path),
      };
    });
  const shortcuts: Entry = {
    id: 'shortcuts',
    group: 'Actions',
    label: 'Show keyboard shortcuts',
    keywords: 'keys help',
    icon: IconKeyboard,
    run: () => openOverlay('shortcuts'),
  };
  return {
    actions: [...entries.filter(({ group }) => group === 'Actions'), shortcuts],
    settings: entries.filter(({ group }) => group === 'Settings'),
  };
}

const useAppearanceEntries = (): Entry[] =>
  useAppearance().map(({ id, label, keywords, isCurrent, apply }) => ({
    id,
    group: 'Appearance',
    label,
    detail: isCurrent ? 'Current' : undefined,
    keywords,
    icon: IconMoon,
    isCurrent,
    isHidden: true,
    run: apply,
  }));
