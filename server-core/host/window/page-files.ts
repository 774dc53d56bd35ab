import { randomBytes } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { cachingHeaders, contentTypeOf, pageHeaders, renderPage } from '../page.ts'

/**
 * Answers a request for a file of the built page. Nothing outside its folder is served, links out of it included;
 * every load of `index.html` gets a nonce of its own.
 *
 * @param folder absolute path of the folder that holds `index.html`
 */
export async function servePageFile(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  socketAddress: string,
): Promise<void> {
  const nonce = randomBytes(18).toString('base64')
  const headers = pageHeaders({ nonce, connect: [socketAddress] })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end()
    return
  }
  const file = await fileInside(folder, request.url ?? '/')
  if (file === undefined) {
    response.writeHead(404, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end('Not found.')
    return
  }
  const bytes = await readFile(file)
  const body =
    path.basename(file) === 'index.html' ? Buffer.from(renderPage(bytes.toString('utf8'), nonce)) : bytes
  response.writeHead(200, {
    ...headers,
    ...cachingHeaders(URL.parse(request.url ?? '/', 'http://page')?.pathname ?? '/'),
    'content-type': contentTypeOf(file),
    'content-length': body.length,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The real path of a file in the folder. Undefined: there is none, or the path leads out of the folder. */
async function fileInside(folder: string, target: string): Promise<string | undefined> {
  try {
    const root = await realpath(folder)
    const pathname = decodeURIComponent(new URL(target, 'http://page').pathname)
    if (pathname.includes('\0') || pathname.includes('\\')) return undefined
    const file = await realpath(path.join(root, pathname === '/' ? 'index.html' : pathname))
    return file.startsWith(root + path.sep) && (await stat(file)).isFile() ? file : undefined
  } catch {
    // No such file, or no path at all: the same "not found" to whoever asks.
    return undefined
  }
}
