import { randomBytes } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { protocol } from 'electron'
import { cachingHeaders, contentTypeOf, pageHeaders, renderPage } from '../server-core/host/page.ts'
import { isPageAddress, PAGE_SCHEME } from './origin.ts'

/** Declares the page's scheme. Must run before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: PAGE_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/**
 * Serves the built page from its folder, and nothing outside it, with the content security policy as a header
 * and a new nonce for every load.
 *
 * @param folder absolute path of the folder that holds `index.html`
 */
export function servePage(folder: string): void {
  protocol.handle(PAGE_SCHEME, async (request) => {
    if (!isPageAddress(request.url)) return refuse(404)
    if (request.method !== 'GET') return refuse(405)
    const nonce = randomBytes(18).toString('base64')
    const { pathname } = new URL(request.url)
    const headers = pageHeaders({ nonce, connect: [] })
    const file = await fileInside(folder, pathname)
    if (file === undefined) return refuse(404)
    if (path.basename(file) === 'index.html') {
      const html = renderPage(await readFile(file, 'utf8'), nonce)
      return new Response(html, { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } })
    }
    const bytes = new Uint8Array(await readFile(file))
    return new Response(bytes, {
      headers: { ...headers, ...cachingHeaders(pathname), 'content-type': contentTypeOf(file) },
    })
  })
}

/** The real path of a file the folder holds, or undefined: no such file, or a way out of the folder. */
async function fileInside(folder: string, pathname: string): Promise<string | undefined> {
  try {
    const root = await realpath(folder)
    const wanted = pathname === '/' ? 'index.html' : decodeURIComponent(pathname).replace(/^\/+/, '')
    const file = await realpath(path.resolve(root, wanted))
    return file.startsWith(root + path.sep) ? file : undefined
  } catch {
    // Not there, or not a path at all: both are the same "not found" to the page.
    return undefined
  }
}

function refuse(status: 404 | 405): Response {
  return new Response('', { status, headers: { 'x-content-type-options': 'nosniff' } })
}
