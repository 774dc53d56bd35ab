import type { Cdp } from '../cdp.ts'
import type { Schemes } from './session.ts'

/** What windows and contents share: the browser, the app's schemes, the app to notify of new ones. */
export type BrowserHost = {
  readonly schemes: Schemes
  cdp(): Cdp
  emitToApp(event: string, ...args: unknown[]): void
}
