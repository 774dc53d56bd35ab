import type { CheckEntry } from '../catalogue/catalogue.ts'

/** An ordinary use of a peer: no check, but passive ones read its frames. */
export const TOUR: CheckEntry = {
  id: 'tour',
  title: 'An ordinary use of the peer',
  group: '',
  sides: ['server', 'client'],
  passive: false,
  severity: 'info',
  transports: [],
  revisions: [],
  destructive: false,
  negative: false,
  needs: undefined,
  statements: [],
  probe: '',
  pass: '',
  fail: '',
  inconclusive: '',
}
