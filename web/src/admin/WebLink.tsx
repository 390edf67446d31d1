/**
 * A web address entered by a customer. It opens in a new tab without a referrer. Anything but http and https stays
 * plain text.
 */
export function WebLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url || '–';
  return (
    <a href={url} target="_blank" rel="noreferrer noopener nofollow">
      {url.replace(/^https?:\/\//i, '')}
    </a>
  );
}
