import { visibleLine } from '../../protocol/visible-text.ts'
import { TapError } from '../tap-error.ts'
import type { TapHello } from './control-server.ts'

const LONGEST = 120

type Named = { readonly hello: TapHello }

/** Finds a tap by its name or its process id. @throws TapError `no-tap` that lists those that run */
export function findTap<Tap extends Named>(taps: readonly Tap[], wanted: string): Tap {
  const found = taps.filter(
    ({ hello: { name, client, pid } }) =>
      String(pid) === wanted ||
      name === wanted ||
      (client !== undefined && `${client} to ${name}` === wanted),
  )
  const [tap] = found
  if (tap !== undefined && found.length === 1) return tap
  const listed = (found.length === 0 ? taps : found).map(lineOf).join('\n')
  if (found.length > 1)
    throw new TapError(
      'no-tap',
      `${found.length} taps are called "${wanted}"; name one by its pid:\n${listed}`,
    )
  throw new TapError(
    'no-tap',
    taps.length === 0
      ? 'no tap runs on this profile; "patchbay tap -- COMMAND" starts one'
      : `no tap is called "${wanted}"; these run:\n${listed}`,
  )
}

function lineOf({ hello: { name, client, pid, command } }: Named): string {
  const title = client === undefined ? name : `${client} to ${name}`
  return `  ${pid} ${visibleLine(title, LONGEST)}: ${visibleLine(command, LONGEST)}`
}
