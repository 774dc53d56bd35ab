import { keyText } from './keys.ts'

/** A key combination such as `mod+k`, as the platform writes it. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd>{keyText(keys)}</kbd>
}
