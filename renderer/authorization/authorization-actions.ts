import type { AuthorizationState, StepRequest } from '../../server-core/host/contract/authorization.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import { authorizationText } from './text.ts'

/** A failed action shows a notice; a successful one is visible in the state and its steps. */
async function runAction(title: string, action: () => Promise<AuthorizationState>): Promise<void> {
  try {
    await action()
  } catch (error) {
    showFailure(title, error)
  }
}

/** Begins to authorize, holding before each request if `paused`. Never rejects; so do all of these. */
export function startAuthorization(serverId: string, paused: boolean): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotStartAuthorization, () =>
    api.authorization.start({ serverId, paused }),
  )
}

/** Holds before each request from now on, or lets them go; also those of an authorization that begins later. */
export function pauseAuthorization(serverId: string, paused: boolean): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotChangeSetting, async () => {
    const state = await api.authorization.pause({ serverId, paused })
    const others = live.parts.authorizations.get().filter((each) => each.serverId !== serverId)
    live.parts.authorizations.set([...others, state])
    return state
  })
}

/** Goes on with the step that is held, with another request if one is given. */
export function continueStep(serverId: string, stepId: string, request?: StepRequest): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotContinueStep, () =>
    api.authorization.continue({ serverId, stepId, ...(request !== undefined && { request }) }),
  )
}

export function repeatStep(serverId: string, stepId: string): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotRepeatStep, () =>
    api.authorization.repeat({ serverId, stepId }),
  )
}

export function stopAuthorization(serverId: string): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotStopAuthorization, () =>
    api.authorization.stop({ serverId }),
  )
}

export function openBrowserAgain(serverId: string): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotOpenBrowser, () =>
    api.authorization.openAgain({ serverId }),
  )
}

/** Completes the authorization with the address at which the browser ended, if it could not reach this machine. */
export function pasteCallback(serverId: string, url: string): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotUseURL, () =>
    api.authorization.pasteCallback({ serverId, url }),
  )
}

export function forgetCredentials(serverId: string): Promise<void> {
  return runAction(authorizationText.authorizationActions.couldNotDeleteCredentials, () =>
    api.authorization.forget({ serverId }),
  )
}
