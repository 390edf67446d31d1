import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';

/** Leads to where something is mended. A step of the wizard is given by `#`, and pages that do not exist are not offered. */
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
  if (!routeExists(router.routesByPath, fix.path)) return null;
  return (
    <Button size="xs" variant="default" component={Link} to={fix.path}>
      {fix.label}
    </Button>
  );
}

/** `/contacts/add-contact/0198...` is `/contacts/add-contact/$id`. */
function routeExists(routes: object, path: string): boolean {
  return Object.keys(routes).some((known) =>
    new RegExp(`^${known.replace(/\$\w+/g, '[^/]+').replace(/\/$/, '')}$`).test(path),
  );
}
