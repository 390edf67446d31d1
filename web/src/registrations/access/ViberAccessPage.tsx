import { AccessPage } from './AccessPage.tsx';

export default function ViberAccessPage() {
  return <AccessPage kind="viber" />;
}
