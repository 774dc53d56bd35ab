import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { reportTo } from './account.ts'
import { officialServer } from './official.ts'

// Its types leave out that members of a request may be undefined.
const answer = toNodeHandler(createMcpHandler(officialServer)) as unknown as RequestListener
const server = createServer(answer)
// The others are measured meanwhile.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  reportTo(process, (server.address() as AddressInfo).port)
})
