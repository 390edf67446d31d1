/** The entries of the views menu: the views to open, and the actions for the active one. */
import { canShareViews } from '@parley/contract/views/lists.ts';
import { removeView, updateView, type View } from '@parley/contract/views/views.ts';
import {
  IconArrowBackUp,
  IconCheck,
  IconDeviceFloppy,
  IconLock,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconStar,
  IconStarOff,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { type ComponentType, Suspense } from 'react';
import { Disabled } from '../../../ui/feedback/Disabled.tsx';
import { toast } from '../../../ui/feedback/Toasts.tsx';
import { ActionGroup, ActionItem, ActionNote, ActionSeparator } from '../../../ui/layout/ActionMenu.tsx';
import { useAction } from '../../http/query.ts';
import { removeWithUndo } from '../../http/undo.ts';
import { useSession } from '../../session/session.tsx';
import type { SavedViews } from './saved_views.ts';
import { useViews } from './stored_views.ts';
import type { ViewDialogTarget } from './ViewDialog.tsx';
import styles from './ViewsMenu.module.css';

interface ViewItemsProps {
  views: SavedViews;
  noun: string;
  onDialog: (target: ViewDialogTarget) => void;
}

export default function ViewItems({ views, noun, onDialog }: ViewItemsProps) {
  const { active, isModified, leave } = views;
  const { views: all, error, refetch } = useViews(views.list);
  return (
    <div className={styles.items}>
      <ActionItem icon={<Mark on={!active} />} onClick={leave}>
        All {noun}
      </ActionItem>
      {error ? (
        <ActionItem stays icon={<IconRefresh size={15} aria-hidden />} onClick={() => void refetch()}>
          The views could not be loaded. Try again
        </ActionItem>
      ) : all === undefined ? (
        <ActionNote>Loading…</ActionNote>
      ) : (
        <>
          <Group title="Your views" all={all.filter((view) => view.is_own)} views={views} />
          <Group title="Shared by others" all={all.filter((view) => !view.is_own)} views={views} />
          {all.length === 0 && (
            <ActionNote>No views yet. A view saves the filters, sort order, and columns of a list.</ActionNote>
          )}
        </>
      )}
      <ActionSeparator />
      {active && isModified && <ModifiedItems views={views} active={active} />}
      <ActionItem icon={<IconPlus size={15} aria-hidden />} onClick={() => onDialog('new')}>
        Save as new view
      </ActionItem>
      {active && <ActiveItems views={views} active={active} onRename={() => onDialog(active)} />}
    </div>
  );
}

function Group({ title, all, views }: { title: string; all: readonly View[]; views: SavedViews }) {
  if (all.length === 0) return null;
  return (
    <ActionGroup label={title}>
      {all.map((view) => (
        <ActionItem key={view.id} icon={<Mark on={view.id === views.active?.id} />} onClick={() => views.open(view)}>
          <bdi className={styles.view}>{view.name}</bdi>
          {view.id === views.defaultId && <IconStar size={14} role="img" aria-label="Default" />}
          {views.Count && (
            <Suspense>
              <views.Count view={view} />
            </Suspense>
          )}
          <Owner view={view} />
        </ActionItem>
      ))}
    </ActionGroup>
  );
}

/** A check mark for the active view, and its space for the others. */
function Mark({ on }: { on: boolean }) {
  return (
    <IconCheck size={15} role="img" aria-label={on ? 'Active' : undefined} aria-hidden={!on} opacity={on ? 1 : 0} />
  );
}

function Owner({ view }: { view: View }) {
  if (!view.shared) return null;
  return view.is_own ? (
    <IconUsers size={14} role="img" aria-label="Shared" />
  ) : (
    <bdi className={styles.owner}>{view.user_name}</bdi>
  );
}

/** Why the user cannot change the view; null if they can. */
function useChangeReason(views: SavedViews, active: View): string | null {
  const { permissions } = useSession();
  if (canShareViews(views.list, permissions) || (active.is_own && !active.shared)) return null;
  return 'Only users who can edit the account or these records can change shared views.';
}

function ModifiedItems({ views, active }: { views: SavedViews; active: View }) {
  const reason = useChangeReason(views, active);
  const save = useAction(updateView, {
    onSuccess: ({ data }) => {
      views.follow(data);
      toast.success(`The view "${data.name}" was saved`);
    },
  });
  return (
    <>
      <Change
        icon={IconDeviceFloppy}
        reason={reason}
        onSelect={() => save.mutate({ params: { id: active.id }, body: { state: views.current } })}
      >
        Save changes
      </Change>
      <Change icon={IconArrowBackUp} onSelect={() => views.open(active)}>
        Discard changes
      </Change>
    </>
  );
}

function ActiveItems({ views, active, onRename }: { views: SavedViews; active: View; onRename: () => void }) {
  const { permissions } = useSession();
  const reason = useChangeReason(views, active);
  const canShare = canShareViews(views.list, permissions);
  const share = useAction(updateView, {
    onSuccess: ({ data }) =>
      toast.success(data.shared ? `"${data.name}" is shared with the account` : `"${data.name}" is private`),
  });
  const { id, name, shared } = active;
  const { setDefault } = views;
  return (
    <>
      <Change icon={IconPencil} reason={reason} onSelect={onRename}>
        Rename
      </Change>
      {setDefault && (
        <Change
          icon={views.defaultId === id ? IconStarOff : IconStar}
          onSelect={() => setDefault(views.defaultId === id ? null : id)}
        >
          {views.defaultId === id ? 'Do not open by default' : 'Open by default'}
        </Change>
      )}
      <Change
        icon={shared ? IconLock : IconUsers}
        reason={shared && active.is_own ? null : canShare ? null : 'You cannot share views of this list.'}
        onSelect={() => share.mutate({ params: { id }, body: { shared: !shared } })}
      >
        {shared ? 'Make private' : 'Share with the account'}
      </Change>
      <Change
        icon={IconTrash}
        danger
        reason={active.is_own ? null : reason}
        onSelect={() => {
          views.leave();
          if (views.defaultId === id) setDefault?.(null);
          removeWithUndo({
            id,
            endpoint: removeView,
            input: { params: { id } },
            message: `The view "${name}" was deleted.`,
            onRestore: () => views.open(active),
          });
        }}
      >
        Delete
      </Change>
    </>
  );
}

interface ChangeProps {
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  reason?: string | null;
  danger?: boolean;
  onSelect: () => void;
  children: string;
}

function Change({ icon: Icon, reason = null, danger, onSelect, children }: ChangeProps) {
  return (
    <Disabled reason={reason} position="left">
      <ActionItem icon={<Icon size={15} aria-hidden />} danger={danger} onClick={onSelect}>
        {children}
      </ActionItem>
    </Disabled>
  );
}
