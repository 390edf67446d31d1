import { SCOPE_PRESETS } from '@parley/contract/keys/keys.ts';
import { type Permissions, RESOURCES } from '@parley/contract/permission.ts';

/** The name of the preset with exactly these scopes, or the number of resources that they open. */
export function presetLabel(permissions: Permissions): string {
  const preset = Object.values(SCOPE_PRESETS).find((one) =>
    RESOURCES.every((resource) => (one.permissions[resource] ?? 0) === (permissions[resource] ?? 0)),
  );
  if (preset) return preset.label;
  const count = RESOURCES.filter((resource) => (permissions[resource] ?? 0) > 0).length;
  return count === 1 ? '1 resource' : `${count} resources`;
}
