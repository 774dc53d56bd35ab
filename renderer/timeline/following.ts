import { Observable } from '../state/observable.ts'

/** Whether the newest rows are kept in sight. */
export type Following =
  | { readonly follow: true }
  | {
      readonly follow: false
      /** The newest row when following ended. */
      readonly lastSeen: string | undefined
      /** Following ended because a row was selected: it resumes when the frames are closed. */
      readonly resumes: boolean
    }

interface Selection {
  readonly selected: Observable<string | undefined>
  readonly framesOpen: Observable<boolean>
  readonly newestId: () => string | undefined
}

/** Following and the selection of one window: they outlive the panel that shows the rows. */
export class FollowModel {
  readonly state = new Observable<Following>({ follow: true })
  readonly #selection: Selection

  constructor(selection: Selection) {
    this.#selection = selection
  }

  /** Starts or ends following, as the user asked. */
  readonly setFollow = (follow: boolean): void => {
    if (this.state.get().follow !== follow) this.state.set(follow ? { follow: true } : this.#ended(false))
  }

  /** Selects a row. Following pauses while its frames are open. */
  select(id: string): void {
    if (this.state.get().follow) this.state.set(this.#ended(true))
    this.#selection.selected.set(id)
  }

  /** Closes the frames of the selected row, and follows again if the selection ended that. */
  readonly closeFrames = (): void => {
    this.#selection.framesOpen.set(false)
    const now = this.state.get()
    if (!now.follow && now.resumes) this.state.set({ follow: true })
  }

  #ended(resumes: boolean): Following {
    return { follow: false, lastSeen: this.#selection.newestId(), resumes }
  }
}
