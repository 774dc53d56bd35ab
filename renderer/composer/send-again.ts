import { showFailure, showToast } from '../controls/toast.tsx'
import { LATEST } from '../../server-core/protocol/revisions.ts'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import { compose, composingOf } from './composer-store.ts'
import { messageHeaders } from './message-headers.ts'
import { withNewId } from './new-id.ts'
import { openComposer } from './open-composer.ts'
import { composerText } from './text.ts'

/** Sends a message again, with an id of its own, and shows in the composer what comes back. */
export async function sendAgain(serverId: string, message: string): Promise<void> {
  const server = live.parts.servers.get().find(({ id }) => id === serverId)
  const headers = server?.transport === 'http' ? messageHeaders(message, server.revision ?? LATEST) : {}
  const text = withNewId(message, `again-${crypto.randomUUID().slice(0, 8)}`)
  openComposer(serverId, text)
  try {
    const sent = await api.composer.send({ serverId, body: { type: 'text', text }, how: { headers } })
    compose(composingOf(serverId), { sent })
    if (sent.problem !== undefined)
      showToast({ title: composerText.sendAgain.couldNotSendIt, detail: sent.problem, tone: 'error' })
  } catch (error) {
    showFailure(composerText.sendAgain.nothingWasSent, error)
  }
}
