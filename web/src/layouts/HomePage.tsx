import { Suspense } from 'react';
import { lazyPage } from '../kernel/session/lazy_page.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';

const CustomerHome = lazyPage(() => import('../dashboard/HomePage.tsx'));
const AdminHome = lazyPage(() => import('../admin/home/AdminHomePage.tsx'));

/** The page at `/`: the customer's dashboard, or the operators' overview. */
export default function HomePage() {
  const { admin } = useSession();
  return <Suspense fallback={<PageSkeleton />}>{admin ? <AdminHome /> : <CustomerHome />}</Suspense>;
}
