import { useEffect } from 'react';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { Loading } from '../../ui/layout/Loading.tsx';

/** The address that signs out; the route guard then leads to sign-in. */
export default function LogoutPage() {
  const { signOut } = useSessionContext();
  useEffect(() => {
    void signOut();
  }, [signOut]);
  return <Loading />;
}
