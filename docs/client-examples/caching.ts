import { ResultCache } from '../../server-core/client/caching/result-cache.ts'
import { connectTo } from '../../server-core/client/connect-to.ts'
import { readResource } from '../../server-core/client/requests/read.ts'
import { exampleServer, reader } from './example-server.ts'

// One cache for several connections; `authorization` names whose private results are found.
const cache = { cache: new ResultCache(), server: 'rates', authorization: () => 'ada' }
for (const what of ['first', 'second']) {
  const connection = await connectTo(exampleServer('caching'), { ...reader, cache })
  const { fromCache } = await readResource(connection, 'rates://today')
  console.log(what, fromCache === undefined ? 'asked' : `kept for ${fromCache.ttlMs} ms, ${fromCache.scope}`)
  await connection.close()
}
