import { lazy, Suspense } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';

const Today = lazy(() => import('../dashboard/HomePage.tsx'));
const Operators = lazy(() => import('../admin/home/AdminHomePage.tsx'));

/** `/` is where a customer sees the day, and an operator the installation. */
export default function HomePage() {
  const { admin } = useSession();
  return <Suspense fallback={<PageSkeleton />}>{admin ? <Operators /> : <Today />}</Suspense>;
}
