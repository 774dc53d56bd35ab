import type { Check } from '../../check.ts'
import { hostileIcons, iconSchemes } from './client-icons.ts'

/** The checks of the area `icons`. */
export const ICONS_CHECKS: readonly Check[] = [iconSchemes, hostileIcons]
