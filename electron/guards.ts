import { app, session, type WebContents } from 'electron'
import { isPageAddress } from './origin.ts'

/** What the page's own origin may ask the system for; everything else is denied to everybody. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

/** Puts every web contents of the app under the same guards, so that a later window cannot forget them. */
export function installContentsGuards(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents))
}

function guardContents(contents: WebContents): void {
  const stayOnThePage = (event: { readonly url: string; preventDefault(): void }): void => {
    if (!isPageAddress(event.url)) event.preventDefault()
  }
  contents.on('will-navigate', stayOnThePage)
  contents.on('will-frame-navigate', stayOnThePage)
  contents.on('will-redirect', stayOnThePage)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Denies permissions and devices, but for the few the page's own origin needs. Runs once the app is ready. */
export function installPermissionGuards(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) => {
    decide(ALLOWED_PERMISSIONS.has(permission) && isPageAddress(details.requestingUrl))
  })
  defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin) => ALLOWED_PERMISSIONS.has(permission) && isPageAddress(origin),
  )
  defaultSession.setDevicePermissionHandler(() => false)
}
