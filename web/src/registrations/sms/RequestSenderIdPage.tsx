import { RequestPage } from './RequestPage.tsx';

export default function RequestSenderIdPage() {
  return <RequestPage kind="sender_id" />;
}
