import { config } from 'patchbay'

export default config({ name: 'fixture' })
