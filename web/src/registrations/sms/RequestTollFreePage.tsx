import { RequestPage } from './RequestPage.tsx';

export default function RequestTollFreePage() {
  return <RequestPage kind="toll_free" />;
}
