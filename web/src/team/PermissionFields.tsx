import type { Permissions } from '@parley/contract/permission.ts';
import { useSession } from '../kernel/session/session.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { FormProblem } from '../ui/form/FormParts.tsx';
import { PermissionTable } from './PermissionTable.tsx';
import { RoleChoice } from './RoleChoice.tsx';
import type { Bits } from './roles.ts';
import styles from './Team.module.css';
import { usePermissionUses } from './usePermissionUses.ts';

interface PermissionFieldsProps {
  value: Permissions;
  onChange: (next: Bits) => void;
  error: string | null;
  readOnly?: boolean;
}

export function PermissionFields({ value, onChange, error, readOnly = false }: PermissionFieldsProps) {
  const { permissions: giver } = useSession();
  const uses = usePermissionUses();
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Role</legend>
        <RoleChoice value={value} giver={giver} onChange={onChange} readOnly={readOnly} />
      </fieldset>
      <fieldset className={styles.group} data-path="permissions" tabIndex={-1}>
        <legend>Permissions</legend>
        {!readOnly && (
          <p className={styles.hint}>Changes apply immediately. You can only grant permissions that you have.</p>
        )}
        {uses ? (
          <PermissionTable value={value} giver={giver} uses={uses} onChange={onChange} readOnly={readOnly} />
        ) : (
          <SkeletonFields count={6} />
        )}
        <FormProblem>{error}</FormProblem>
      </fieldset>
    </>
  );
}
