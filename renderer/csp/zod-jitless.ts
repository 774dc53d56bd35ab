import { z } from 'zod'

// zod tries once whether it may compile code; under this page's policy that try is a violation, so it is disabled.
// Imported before anything that parses.
z.config({ jitless: true })
