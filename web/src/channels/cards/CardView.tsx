/** A location, contacts, or a list inside the bubble of a message. */
import { type ContactCard, mapUrl, type Place } from '@parley/contract/messages/cards.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { IconList, IconMapPin, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Cards.module.css';

interface CardViewProps {
  content: Pick<Content, 'location' | 'contacts' | 'list'>;
  /** The actions for a contact. */
  contactTool?: ((contact: ContactCard) => ReactNode) | undefined;
}

/** True if the content replaces the text, which only describes it. */
export const hidesText = ({ location, contacts }: CardViewProps['content']): boolean =>
  Boolean(location || contacts?.length);

export function CardView({ content, contactTool }: CardViewProps) {
  const { location, contacts, list } = content;
  return (
    <>
      {location && <PlaceCard place={location} />}
      {contacts?.map((contact) => (
        <div key={JSON.stringify(contact)} className={styles.card}>
          <IconUser size={20} stroke={1.6} aria-hidden />
          <div className={styles.facts}>
            <strong>
              <bdi>{contact.name || 'Unnamed contact'}</bdi>
            </strong>
            {[...contact.phones, ...contact.emails].map((text) => (
              <bdi key={text} className={styles.fact}>
                {text}
              </bdi>
            ))}
            {contactTool?.(contact)}
          </div>
        </div>
      ))}
      {list && (
        <details className={styles.list}>
          <summary>
            <IconList size={14} aria-hidden />
            <bdi>{list.button}</bdi>
          </summary>
          <ul aria-label="Choices">
            {list.rows.map(({ text, description, value }) => (
              <li key={value}>
                <bdi>{text}</bdi>
                {description && <bdi className={styles.fact}>{description}</bdi>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function PlaceCard({ place }: { place: Place }) {
  const { latitude, longitude, name, address } = place;
  return (
    <div className={styles.card}>
      <IconMapPin size={20} stroke={1.6} aria-hidden />
      <div className={styles.facts}>
        <strong>
          <bdi>{name ?? 'Location'}</bdi>
        </strong>
        {address && <bdi className={styles.fact}>{address}</bdi>}
        <a href={mapUrl(place)} target="_blank" rel="noopener noreferrer" className={styles.point}>
          {latitude}, {longitude}
        </a>
      </div>
    </div>
  );
}
