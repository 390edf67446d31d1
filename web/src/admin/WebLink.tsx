/** An address that a customer typed: opened apart, told nothing of where one came from, and never anything but the web. */
export function WebLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url || '–';
  return (
    <a href={url} target="_blank" rel="noreferrer noopener nofollow">
      {url.replace(/^https?:\/\//i, '')}
    </a>
  );
}
