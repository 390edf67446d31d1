import { AccessPage } from './AccessPage.tsx';

export default function WhatsappAccessPage() {
  return <AccessPage kind="whatsapp" />;
}
