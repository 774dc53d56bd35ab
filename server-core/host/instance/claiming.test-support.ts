/** A process that claims a profile, tells so, and stays until it is killed. */
import { claimInstance } from './instance.ts'

const [profile = ''] = process.argv.slice(2)
const instance = await claimInstance({
  profile,
  describe: () => Promise.resolve({ mode: 'headless' }),
  onActivate: () => Promise.resolve(),
})
process.send?.(instance.state)
