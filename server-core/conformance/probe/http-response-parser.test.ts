import { expect, it } from 'vitest'
import { ResponseParser, type ResponseHead } from './http-response-parser.ts'

function parse(text: string, pieceLength: number) {
  let head: ResponseHead | undefined
  let body = ''
  let end = 'open'
  const parser = new ResponseParser({
    head: (each) => {
      head = each
    },
    body: (bytes) => {
      body += bytes.toString()
    },
    end: () => {
      end = 'complete'
    },
    invalid: (reason) => {
      end = reason
    },
  })
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += pieceLength)
    parser.push(bytes.subarray(start, start + pieceLength))
  parser.close()
  return { head, body, end }
}

it.each([1, 7, 10_000])('reads chunks that come in pieces of %d bytes', (length) => {
  const text =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: 1\r\na: 2\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n'
  const { head, body, end } = parse(text, length)
  expect(head).toMatchObject({ status: 200, headers: { a: '1, 2' } })
  expect({ body, end }).toEqual({ body: 'abcde', end: 'complete' })
})

it('passes over interim responses, and reads a body of a known length', () => {
  const text = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nhi'
  expect(parse(text, 3)).toMatchObject({ head: { status: 404 }, body: 'hi', end: 'complete' })
})

it('says what is wrong with bytes that are not HTTP, or break off', () => {
  expect(parse('SSH-2.0\r\n\r\n', 4).end).toBe('expected a status line, got "SSH-2.0"')
  expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi', 4).end).toBe(
    'the body of the response breaks off',
  )
  expect(parse('', 1).end).toBe('no response')
})
