import { tool } from 'patchbay'

export default tool({ description: 'Pings.', run: () => 'pong' })
