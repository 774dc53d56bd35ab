import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { reportTo } from './account.ts'
import { bareAnswer } from './bare-answer.ts'

const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    socket.send(bareAnswer(data.toString()))
  })
})
server.listen(0, '127.0.0.1', () => {
  reportTo(process, (server.address() as AddressInfo).port)
})
