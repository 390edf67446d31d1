import { RequestPage } from './RequestPage.tsx';

export default function TcrRegistrationPage() {
  return <RequestPage kind="tcr" />;
}
