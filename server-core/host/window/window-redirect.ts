import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** A page on this disk that leads to the window. */
export type WindowRedirect = {
  /** The `file:` URL of the page. */
  readonly url: string
  /** Deletes the page. */
  close(): Promise<void>
}

/**
 * Writes a page that leads to the window's address. A browser is started with the page in place of the address,
 * because other accounts of the machine can read command lines, and whoever has the token of the address controls
 * Patchbay. Only this account can read the page.
 *
 * @param address the window's address, with its token
 * @param folder an existing directory of this account, for example the profile
 * @throws the system's error if the page cannot be written
 */
export async function writeWindowRedirect(address: string, folder: string): Promise<WindowRedirect> {
  const file = path.join(folder, `open-window-${process.pid}.html`)
  const close = () => rm(file, { force: true })
  await close()
  await writeFile(file, pageOf(address), { flag: 'wx', mode: 0o600 })
  return { url: pathToFileURL(file).href, close }
}

function pageOf(address: string): string {
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <meta http-equiv="refresh" content="0;url=${escaped}" />
    <title>Patchbay</title>
  </head>
  <body><a href="${escaped}">Open Patchbay</a></body>
</html>
`
}
