import { lazy, Suspense } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';

const CustomerHome = lazy(() => import('../dashboard/HomePage.tsx'));
const AdminHome = lazy(() => import('../admin/home/AdminHomePage.tsx'));

/** The page at `/`: the customer's dashboard, or the operators' overview. */
export default function HomePage() {
  const { admin } = useSession();
  return <Suspense fallback={<PageSkeleton />}>{admin ? <AdminHome /> : <CustomerHome />}</Suspense>;
}
