import { useEffect } from 'react';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { Loading } from '../../ui/layout/Loading.tsx';

/** Signs out. The route guard then opens the sign-in page. */
export default function LogoutPage() {
  const { signOut } = useSessionContext();
  useEffect(() => {
    void signOut();
  }, [signOut]);
  return <Loading />;
}
