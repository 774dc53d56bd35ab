import { startHttpListener } from '../../server-core/transports/http-listener.ts'
import { reportTo } from './account.ts'
import { productServer } from './product.ts'

const listener = await startHttpListener({ server: productServer(), port: 0 })
reportTo(process, listener.port)
