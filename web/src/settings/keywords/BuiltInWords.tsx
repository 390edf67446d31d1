import { KEYWORD_KINDS, KEYWORD_LANGUAGES, KEYWORD_WORDS } from '@parley/contract/audiences/keyword_words.ts';
import styles from './Keywords.module.css';
import { KIND_TITLES } from './words.ts';

export function BuiltInWords() {
  return (
    <ul className={styles.languages}>
      {KEYWORD_LANGUAGES.map((language) => {
        const { name, clear, other } = KEYWORD_WORDS[language];
        return (
          <li key={language}>
            <h3 className={styles.language}>{name}</h3>
            <dl className={styles.words}>
              {KEYWORD_KINDS.map((kind) => (
                <div key={kind}>
                  <dt>{KIND_TITLES[kind]}</dt>
                  <dd lang={language} dir="auto">
                    {[...clear[kind], ...other[kind]].join(', ')}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
