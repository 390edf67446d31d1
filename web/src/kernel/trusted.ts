/**
 * The page's policy forbids making markup or code out of text (Trusted Types) and styles without the number of the answer. What frameworks do write as
 * markup is the inside of style elements; it goes through the one policy there is, which lets nothing pass in which an element could begin.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });

export const styleNonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce || undefined;

// Where the library that locks the scrolling behind a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
