import { safeHtml } from '../text/safe-html.ts'

/**
 * As much of Trusted Types as is used here; the type library does not have it. Both return objects that the DOM accepts
 * in place of text. They are declared as text because the types of the DOM and of libraries ask for that.
 */
type Policy = { createScriptURL(url: string): string; createHTML(html: string): string }
declare global {
  var trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined
}

const rules: Policy = { createScriptURL: ownScript, createHTML: safeHtml }
/** The one policy that the page's content security policy allows. Browsers without Trusted Types need none. */
const policy = globalThis.trustedTypes?.createPolicy('patchbay', rules) ?? rules

/**
 * Starts a worker of the page.
 *
 * @param url the address of its script, which the build made (`…?worker&url`)
 * @throws TypeError for a script of another origin
 */
export function startWorker(url: string): Worker {
  return new Worker(policy.createScriptURL(url), { type: 'module' })
}

/** Markup that a library may put into the page: only what arranges text is left of it. */
export function trustedMarkup(html: string): string {
  return policy.createHTML(html)
}

function ownScript(url: string): string {
  const { origin, href } = new URL(url, document.baseURI)
  if (origin !== globalThis.location.origin) throw new TypeError(`not a script of this page: ${href}`)
  return href
}
