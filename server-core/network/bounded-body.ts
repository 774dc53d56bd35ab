import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { NetworkError } from './network-error.ts'

/** What decompresses one `Content-Encoding`; undefined for one that is not read. */
async function decoderOf(encoding: string): Promise<Transform | undefined> {
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib')
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : undefined
}

/**
 * Reads the whole body of an answer, decompressed. Rejects with a `NetworkError` (`too-large`) as soon as the body is
 * over `most` bytes, as it came or decompressed, before more of it is decompressed; `encoding` for a body that is
 * compressed otherwise, more than once, or wrongly.
 */
export async function readBody(response: IncomingMessage, most: number, from: string): Promise<Buffer> {
  const named = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const isPlain = named === 'identity' || named === ''
  const decoder = isPlain ? undefined : await decoderOf(named)
  if (!isPlain && decoder === undefined) {
    throw new NetworkError('encoding', `${from} answered with the content encoding ${JSON.stringify(named)}`)
  }
  const tooLarge = () => new NetworkError('too-large', `the answer of ${from} is over ${most} bytes`)
  const announced = Number(response.headers['content-length'] ?? 0)
  if (announced > most) throw tooLarge()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let raw = 0
    let length = 0
    const fail = (error: Error) => {
      decoder?.destroy()
      reject(error)
    }
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length <= most) chunks.push(chunk)
      else fail(tooLarge())
    }
    const finish = () => {
      resolve(Buffer.concat(chunks, length))
    }
    response.on('error', fail)
    if (decoder === undefined) {
      response.on('data', take).on('end', finish)
      return
    }
    response.on('data', (chunk: Buffer) => {
      raw += chunk.length
      if (raw > most) fail(tooLarge())
    })
    decoder.on('data', take).on('end', finish)
    decoder.on('error', (cause) => {
      // An answer without a body, to HEAD for instance, may still say how it would be compressed.
      if (raw === 0) finish()
      else
        fail(
          new NetworkError('encoding', `the body of ${from} is not valid ${named}: ${cause.message}`, {
            cause,
          }),
        )
    })
    response.pipe(decoder)
  })
}
