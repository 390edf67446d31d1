import { splitLinks } from './links.ts';

/** A person's text with clickable web addresses and phone numbers. */
export function LinkedText({ text }: { text: string }) {
  return splitLinks(text).map(({ start, text: part, href }) =>
    href === null ? (
      part
    ) : (
      <a
        key={start}
        href={href}
        {...(href.startsWith('tel:') ? {} : { target: '_blank', rel: 'noopener noreferrer nofollow' })}
      >
        {part}
      </a>
    ),
  );
}
