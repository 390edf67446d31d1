/**
 * The content security policy forbids creating markup and code from text (Trusted Types), and styles without the
 * response's nonce. Libraries write the content of style elements as markup. The default policy allows this but rejects
 * any text that could open an element.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });

export const styleNonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce || undefined;

// The library that locks scrolling behind dialogs reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
