import { RequestPage } from './RequestPage.tsx';

export default function RequestShortCodePage() {
  return <RequestPage kind="short_code" />;
}
