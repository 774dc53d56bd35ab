import { expect, it } from 'vitest'
import { Observable } from '../state/observable.ts'
import { FollowModel } from './following.ts'

function started() {
  const selected = new Observable<string | undefined>(undefined)
  const framesOpen = new Observable(false)
  return { selected, framesOpen, model: new FollowModel({ selected, framesOpen, newestId: () => 'b' }) }
}

it('pauses while a row is selected and resumes when its frames are closed', () => {
  const { selected, framesOpen, model } = started()
  model.select('a')
  framesOpen.set(true)
  expect(selected.get()).toBe('a')
  expect(model.state.get()).toEqual({ follow: false, lastSeen: 'b', resumes: true })
  model.select('b')
  model.closeFrames()
  expect(framesOpen.get()).toBe(false)
  expect(model.state.get()).toEqual({ follow: true })
})

it('stays off when it was off before the selection', () => {
  const { model } = started()
  model.setFollow(false)
  model.select('a')
  model.closeFrames()
  expect(model.state.get()).toEqual({ follow: false, lastSeen: 'b', resumes: false })
})
