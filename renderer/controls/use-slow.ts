import { useEffect, useState } from 'react'

/** Work that ends sooner shows its outcome alone. */
const SLOW_MS = 300

/** True once what is waited for takes long enough to say so. */
export function useSlow(): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}
