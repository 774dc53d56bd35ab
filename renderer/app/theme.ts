import { useLayoutEffect } from 'react'
import type { Settings } from '../../server-core/host/contract/app.ts'
import { appText } from './text.ts'

export type Theme = Settings['theme']

export const themeNames: Record<Theme, string> = {
  system: appText.theme.system,
  light: 'Light',
  dark: 'Dark',
}

/** Forces the page light or dark; `system` leaves it to the system. */
export function useTheme(theme: Theme): void {
  useLayoutEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
}
