import { IconBrandGoogle, IconLogin2 } from '@tabler/icons-react';

export function ProviderIcon({ id }: { id: string }) {
  const Icon = id === 'google' ? IconBrandGoogle : IconLogin2;
  return <Icon size={17} stroke={1.7} aria-hidden />;
}
