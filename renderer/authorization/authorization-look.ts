import type { AuthorizationState, OAuthStep } from '../../server-core/host/contract/authorization.ts'
import type { IconName } from '../controls/icon.tsx'

export type Look = {
  readonly icon: IconName
  readonly tone: 'is-ok' | 'is-warn' | 'is-error' | 't2' | 't3'
  readonly word: string
}

/** How the state is told apart: a shape and a word, the colour only repeats them. */
export function stateLook({ status, waitingFor }: AuthorizationState): Look {
  switch (status) {
    case 'none':
      return { icon: 'st-off', tone: 't3', word: 'not asked for' }
    case 'needed':
      return { icon: 'st-ask', tone: 'is-warn', word: 'needed' }
    case 'authorizing':
      if (waitingFor === 'gate') return { icon: 'pause', tone: 'is-warn', word: 'held before a request' }
      if (waitingFor === 'browser')
        return { icon: 'st-ask', tone: 'is-warn', word: 'waiting for the browser' }
      return { icon: 'st-busy', tone: 't2', word: 'running' }
    case 'authorized':
      return { icon: 'st-on', tone: 'is-ok', word: 'authorized' }
    case 'failed':
      return { icon: 'st-fail', tone: 'is-error', word: 'failed' }
  }
}

export function stepLook({ state }: Pick<OAuthStep, 'state'>): Look {
  switch (state) {
    case 'waiting':
      return { icon: 'pause', tone: 'is-warn', word: 'held' }
    case 'running':
      return { icon: 'st-busy', tone: 't2', word: 'running' }
    case 'done':
      return { icon: 'check', tone: 'is-ok', word: 'done' }
    case 'failed':
      return { icon: 'st-fail', tone: 'is-error', word: 'failed' }
  }
}

const STEP_NAMES: Readonly<Record<OAuthStep['kind'], string>> = {
  challenge: 'Challenge',
  'resource-metadata': 'Resource metadata',
  'authorization-server': 'Authorization server',
  'server-metadata': 'Server metadata',
  client: 'Client',
  registration: 'Registration',
  scopes: 'Scopes',
  'authorization-request': 'Authorization request',
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
