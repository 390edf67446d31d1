/** White label: the brand of the installation for operators, or the brand that sub-accounts see. */
import { getBrand } from '@parley/contract/brand/brand.ts';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { BrandForm } from './BrandForm.tsx';

export default function BrandPage() {
  const { account } = useSession();
  const query = useEndpoint(getBrand, {});
  const brand = query.data?.data;
  return (
    <SettingsLayout
      title="Brand"
      description={
        account.operator
          ? 'The name, logo, and color of this installation.'
          : 'The name, logo, and color that the users of your sub-accounts see.'
      }
    >
      {query.error ? (
        <ErrorState title="The brand could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      ) : !brand ? (
        <PageSkeleton />
      ) : brand.is_available || brand.is_own ? (
        <BrandForm key={JSON.stringify(brand)} brand={brand} />
      ) : (
        <EmptyState title="No sub-accounts yet">
          The users of your sub-accounts see your brand. <Link to="/subaccounts">Create a sub-account</Link> first.
        </EmptyState>
      )}
    </SettingsLayout>
  );
}
