import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportTo } from './account.ts'
import { bareAnswer } from './bare-answer.ts'

const UPDATE =
  'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"bench://counter"}}\n\n'
const streams = new Set<ServerResponse>()

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.write(': open\n\n')
    streams.add(response)
    response.on('close', () => streams.delete(response))
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    if (text.includes('"touch"')) for (const stream of streams) stream.write(UPDATE)
    const body = text.includes('"id"') ? bareAnswer(text) : ''
    response.writeHead(body === '' ? 202 : 200, { 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  reportTo(process, (server.address() as AddressInfo).port)
})
