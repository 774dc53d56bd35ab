import { useMutation } from '@tanstack/react-query'

/**
 * A switch that takes its time: shows what was chosen until that is done or refused, and does one after the other, so
 * that a second press takes the first one back.
 *
 * @param id reports what is switched, apart from everything else that is
 * @param switchTo tells by itself if it fails
 */
export function useSwitched(
  id: string,
  isOn: boolean,
  switchTo: (isOn: boolean) => Promise<unknown>,
): readonly [isOn: boolean, switchTo: (isOn: boolean) => void] {
  const { mutate, isPending, variables } = useMutation({ mutationFn: switchTo, scope: { id } })
  return [isPending ? variables : isOn, mutate]
}
