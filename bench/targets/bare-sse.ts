import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportTo } from './account.ts'
import { bareAnswer } from './bare-answer.ts'

const streams: ServerResponse[] = []

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.write(`event: endpoint\ndata: /messages?${streams.push(response) - 1}\n\n`)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(202, { 'content-length': 0 })
    response.end()
    const stream = streams[Number(request.url?.split('?')[1])]
    stream?.write(`event: message\ndata: ${bareAnswer(Buffer.concat(chunks).toString())}\n\n`)
  })
})
// The others are measured meanwhile.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  reportTo(process, (server.address() as AddressInfo).port)
})
