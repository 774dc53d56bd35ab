import { afterEach } from 'vitest'
import { leftOpen } from './left-open.test-support.ts'

afterEach(async () => {
  for (const close of leftOpen.splice(0).reverse()) await close()
})
