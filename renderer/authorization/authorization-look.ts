import type { AuthorizationState, OAuthStep } from '../../server-core/host/contract/authorization.ts'
import type { StateLook } from '../controls/state-mark.tsx'
import { authorizationText } from './text.ts'

/** How the state is told apart: a shape and a word, the colour only repeats them. */
export function stateLook({ status, waitingFor }: AuthorizationState): StateLook {
  switch (status) {
    case 'none':
      return { icon: 'st-off', tone: 't3', word: authorizationText.authorizationLook.notRequired }
    case 'needed':
      return { icon: 'st-ask', tone: 'is-warn', word: authorizationText.authorizationLook.needed }
    case 'authorizing':
      if (waitingFor === 'gate')
        return {
          icon: 'pause',
          tone: 'is-warn',
          word: authorizationText.authorizationLook.pausedBeforeARequest,
        }
      if (waitingFor === 'browser')
        return {
          icon: 'st-ask',
          tone: 'is-warn',
          word: authorizationText.authorizationLook.waitingForTheBrowser,
        }
      return { icon: 'st-busy', tone: 't2', word: authorizationText.authorizationLook.running }
    case 'authorized':
      return { icon: 'st-on', tone: 'is-ok', word: authorizationText.authorizationLook.authorized }
    case 'failed':
      return { icon: 'st-fail', tone: 'is-error', word: authorizationText.authorizationLook.failed }
  }
}

export function stepLook({ state }: Pick<OAuthStep, 'state'>): StateLook {
  switch (state) {
    case 'waiting':
      return { icon: 'pause', tone: 'is-warn', word: authorizationText.authorizationLook.paused }
    case 'running':
      return { icon: 'st-busy', tone: 't2', word: authorizationText.authorizationLook.running }
    case 'done':
      return { icon: 'check', tone: 'is-ok', word: authorizationText.authorizationLook.done }
    case 'failed':
      return { icon: 'st-fail', tone: 'is-error', word: authorizationText.authorizationLook.failed }
  }
}

const STEP_NAMES: Readonly<Record<OAuthStep['kind'], string>> = {
  challenge: 'Challenge',
  'resource-metadata': authorizationText.authorizationLook.resourceMetadata,
  'authorization-server': authorizationText.authorizationLook.authorizationServer,
  'server-metadata': authorizationText.authorizationLook.serverMetadata,
  client: 'Client',
  registration: 'Registration',
  scopes: 'Scopes',
  'authorization-request': authorizationText.authorizationLook.authorizationRequest,
  callback: 'Callback',
  token: 'Token',
  refresh: 'Refresh',
  assertion: 'Assertion',
  credentials: 'Credentials',
  revocation: 'Revocation',
}

export function stepName({ kind }: Pick<OAuthStep, 'kind'>): string {
  return STEP_NAMES[kind]
}
