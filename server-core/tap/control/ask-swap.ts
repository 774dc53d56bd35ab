import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { TapError } from '../tap-error.ts'
import { answerSchema, type ChannelSwapped, type SwapAsked } from './control-messages.ts'
import { controlPlace, type ControlPlace } from './control-place.ts'
import { readProof } from './control-proof.ts'
import { ControlServer, type ConnectedTap } from './control-server.ts'
import { findTap } from './find-tap.ts'
import { LineChannel } from './line-channel.ts'

/** Taps look for an app every two seconds. */
const GATHER_MS = 2_500

/**
 * Replaces the server of a tap that runs on a profile, through the app, or directly where no app runs.
 *
 * @throws TapError `no-tap`, `swap`
 */
export async function askSwap(profile: string, wanted: string, swap: SwapAsked): Promise<ChannelSwapped> {
  const place = controlPlace(profile)
  const proof = readProof(await readFile(place.token, 'utf8').catch(() => ''))
  const byApp = proof === undefined ? undefined : await askApp(place, proof.ofTap, wanted, swap)
  return byApp ?? (await askTap(profile, wanted, swap))
}

/** Undefined if no app listens. */
function askApp(
  place: ControlPlace,
  token: string,
  tap: string,
  swap: SwapAsked,
): Promise<ChannelSwapped | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(place.socket)
    let isConnected = false
    const channel = new LineChannel(socket, answerSchema, {
      message: ({ outcome }) => {
        if (outcome.type === 'done') resolve(outcome.swapped)
        else reject(new TapError('swap', outcome.message))
        channel.close()
      },
      closed: (reason) => {
        if (isConnected) reject(new TapError('swap', `the app closed the channel: ${reason}`))
        else resolve(undefined)
      },
    })
    socket.once('connect', () => {
      isConnected = true
      channel.send({ type: 'ask', token, tap, swap })
    })
  })
}

async function askTap(profile: string, wanted: string, swap: SwapAsked): Promise<ChannelSwapped> {
  const taps = new Set<ConnectedTap>()
  const server = await ControlServer.start(profile, {
    opened: (tap) => void taps.add(tap),
    closed: (tap) => void taps.delete(tap),
    event: () => undefined,
    asked: () => Promise.reject(new TapError('swap', 'another swap runs on this profile; try again')),
  })
  try {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    return await findTap([...taps], wanted).swap(swap)
  } finally {
    await server.close()
  }
}
