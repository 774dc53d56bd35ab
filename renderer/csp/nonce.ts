/**
 * The nonce the server of this page allows style elements with. The browser hides it from selectors, so it is read
 * from the element's property. `undefined` where nobody served one (a development server).
 */
export const cspNonce: string | undefined = readNonce()

function readNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
  const nonce = meta?.nonce
  return nonce === undefined || nonce === '' || nonce === '__CSP_NONCE__' ? undefined : nonce
}
