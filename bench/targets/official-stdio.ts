import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { reportTo } from './account.ts'
import { officialServer } from './official.ts'

serveStdio(officialServer)
reportTo(process)
