/**
 * The content security policy forbids markup and code made from text (Trusted Types), and styles without the response's
 * nonce. Libraries write the content of style elements as markup; the default policy allows it, but no text in which an
 * element could begin.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });

export const styleNonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce || undefined;

// The library that locks scrolling behind a dialog reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
