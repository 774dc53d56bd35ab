import { claimStandardOutput, stdioServerLink } from '../../server-core/transports/stdio-server.ts'
import { reportTo } from './account.ts'
import { productServer } from './product.ts'

productServer().attach(stdioServerLink({ input: process.stdin, output: claimStandardOutput() }))
reportTo(process)
