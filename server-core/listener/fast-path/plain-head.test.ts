import { describe, expect, it } from 'vitest'
import { readPlainHead } from './plain-head.ts'

const FIRST = 'POST /mcp HTTP/1.1'

function head(...lines: readonly string[]): string {
  return lines.join('\r\n')
}

describe('a plain head', () => {
  it('is read as node:http reads it', () => {
    const text = head(FIRST, 'Host: localhost', 'X-Empty:', 'content-LENGTH:\t12 ')
    const read = readPlainHead(text)
    expect(read?.method).toBe('POST')
    expect(read?.url).toBe('/mcp')
    expect(read?.match(text)).toEqual({
      headers: { host: 'localhost', 'x-empty': '', 'content-length': '12' },
      rawHeaders: ['Host', 'localhost', 'X-Empty', '', 'content-LENGTH', '12'],
      bodyLength: 12,
    })
  })

  it('matches the same head with another length, and no other head', () => {
    const read = readPlainHead(head(FIRST, 'Host: localhost', 'Content-Length: 12', 'Accept: */*'))
    const again = head(FIRST, 'Host: localhost', 'Content-Length: 7', 'Accept: */*')
    expect(read?.match(again)?.bodyLength).toBe(7)
    expect(read?.match(again)).toBe(read?.match(again))
    for (const other of [
      head(FIRST, 'Host: localhost', 'Content-Length: 007', 'Accept: */*'),
      head(FIRST, 'Host: localhost', 'Content-Length: 7\r\nX: y', 'Accept: */*'),
      head(FIRST, 'Host: localhost', 'Content-Length: ', 'Accept: */*'),
      head(FIRST, 'Host: localhost', 'Content-Length: 7', 'Accept: text/plain'),
    ]) {
      expect(read?.match(other), other).toBeUndefined()
    }
  })

  it.each([
    ['a method that is not served here', head('PUT /mcp HTTP/1.1', 'Host: a', 'Content-Length: 1')],
    ['HTTP/1.0', head('POST /mcp HTTP/1.0', 'Host: a', 'Content-Length: 1')],
    ['no Host', head(FIRST, 'Content-Length: 1')],
    ['two Hosts', head(FIRST, 'Host: a', 'host: b', 'Content-Length: 1')],
    ['a POST without a length', head(FIRST, 'Host: a')],
    ['a GET with a length', head('GET /mcp HTTP/1.1', 'Host: a', 'Content-Length: 1')],
    ['chunks', head(FIRST, 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked')],
    ['an upgrade', head('GET /ws HTTP/1.1', 'Host: a', 'Upgrade: websocket')],
    ['a connection that closes', head(FIRST, 'Host: a', 'Content-Length: 1', 'Connection: close')],
    ['a client that waits', head(FIRST, 'Host: a', 'Content-Length: 1', 'Expect: 100-continue')],
    ['a folded line', head(FIRST, 'Host: a', 'X-A: b', ' c', 'Content-Length: 1')],
    ['a bare line feed', head(FIRST, 'Host: a', 'X-A: b\nX-B: c', 'Content-Length: 1')],
    ['a name that objects have', head(FIRST, 'Host: a', 'constructor: b', 'Content-Length: 1')],
    ['a character beyond ASCII', head(FIRST, 'Host: a', 'X-A: caf\xe9', 'Content-Length: 1')],
    ['a signed length', head(FIRST, 'Host: a', 'Content-Length: +1')],
  ])('is not one with %s', (_what, text) => {
    expect(readPlainHead(text)).toBeUndefined()
  })
})
