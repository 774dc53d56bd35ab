import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { sdkServer } from './sdk-v2-factory.test-support.ts'

serveStdio(() =>
  sdkServer({
    change: (server) => {
      server.sendToolListChanged()
      void server.server.sendResourceUpdated({ uri: 'test://text' })
    },
    cancelled: () => console.error('cancelled'),
  }),
)
