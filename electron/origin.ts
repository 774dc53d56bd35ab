/** The one origin the window's page has, in every launch. */
export const PAGE_SCHEME = 'app'
export const PAGE_ORIGIN = `${PAGE_SCHEME}://patchbay`

/** Returns whether an address belongs to the page. Unparsable ones do not. */
export function isPageAddress(address: string): boolean {
  try {
    const url = new URL(address)
    return url.protocol === `${PAGE_SCHEME}:` && url.host === 'patchbay'
  } catch {
    return false
  }
}
