import { askUser, takeCallback } from './authorization-request.ts'
import { chooseClient } from './client-identity.ts'
import type { FlowAt, FlowState } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { OAuthError } from './oauth-error.ts'
import { register } from './registration.ts'
import { askServer, findResource } from './resource-metadata.ts'
import { findServer } from './server-metadata.ts'
import { RepeatStep } from './step-log.ts'
import { exchangeCode, obtainByGrant, refresh } from './token-request.ts'

/** Does what is next, and gives where the authorization stands then. */
async function advance(state: Exclude<FlowState, { next: 'done' }>, parts: FlowParts): Promise<FlowState> {
  switch (state.next) {
    case 'challenge':
      return askServer(state, parts)
    case 'resource':
      return findResource(state, parts)
    case 'server':
      return findServer(state, parts)
    case 'grant':
      return obtainByGrant(state, parts)
    case 'client':
      return chooseClient(state, parts)
    case 'registration':
      return register(state, parts)
    case 'refresh':
      return refresh(state, parts)
    case 'authorization':
      return askUser(state, parts)
    case 'callback':
      return takeCallback(state, parts)
    case 'token':
      return exchangeCode(state, parts)
  }
}

/**
 * Runs an authorization from where it stands until there are tokens. `onState` gets each state in between, which is
 * JSON and can be taken up again by another call. Throws an `OAuthError`.
 */
export async function runFlow(
  from: FlowState,
  parts: FlowParts,
  onState: (state: FlowState) => void = () => undefined,
): Promise<FlowAt<'done'>> {
  let state = from
  while (state.next !== 'done') {
    if (parts.signal.aborted) throw new OAuthError('stopped', 'The authorization was stopped.')
    parts.log.at(state)
    try {
      state = await advance(state, parts)
    } catch (error) {
      if (!(error instanceof RepeatStep)) throw error
      const earlier = parts.log.stateBefore(error.stepId)
      if (earlier === undefined) {
        throw new OAuthError('stopped', 'That step is too long ago to be repeated.', { cause: error })
      }
      state = earlier
    }
    onState(state)
  }
  return state
}
