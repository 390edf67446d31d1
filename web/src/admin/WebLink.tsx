/**
 * A URL entered by a customer. The link opens in a new tab without a referrer. URLs other than http and https stay
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
