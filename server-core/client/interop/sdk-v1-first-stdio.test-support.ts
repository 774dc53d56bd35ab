import { Server } from 'mcp-sdk-1.0.1/server/index.js'
import { StdioServerTransport } from 'mcp-sdk-1.0.1/server/stdio.js'
import { firstServer } from './sdk-v1-first.test-support.ts'

/** A server made with the first official SDK, which knows 2024-11-05 alone. */
await firstServer(Server).connect(new StdioServerTransport())
