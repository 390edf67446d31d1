import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { splitAddress } from '../ui/layout/split_address.ts';

/**
 * Links to the place where a problem is fixed: a page, or a step of the wizard (`#setup`). Hidden if there is no such
 * place.
 */
export function FixLink({
  fix,
  onStep,
}: {
  fix: { label: string; path: string } | null;
  onStep?: ((step: string) => void) | undefined;
}) {
  const router = useRouter();
  if (!fix) return null;
  if (fix.path.startsWith('#')) {
    return onStep ? (
      <Button size="xs" variant="default" onClick={() => onStep(fix.path.slice(1))}>
        {fix.label}
      </Button>
    ) : null;
  }
  const link = splitAddress(fix.path);
  if (!routeExists(router.routesByPath, link.to)) return null;
  return (
    <Button size="xs" variant="default" component={Link} {...link}>
      {fix.label}
    </Button>
  );
}

/** Matches a path such as `/contacts/add-contact/0198...` against routes such as `/contacts/add-contact/$id`. */
function routeExists(routes: object, path: string): boolean {
  return Object.keys(routes).some((route) =>
    new RegExp(`^${route.replace(/\$\w+/g, '[^/]+').replace(/\/$/, '')}$`).test(path),
  );
}
