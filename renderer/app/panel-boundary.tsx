import { Component, type ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { appText } from './text.ts'

interface PanelBoundaryProps {
  /** The panel's name, for the message. */
  name: string
  children: ReactNode
}

interface PanelBoundaryState {
  readonly failure: string | undefined
}

/** Keeps a fault in one panel from taking the window with it: says what happened and offers the panel again. */
export class PanelBoundary extends Component<PanelBoundaryProps, PanelBoundaryState> {
  override readonly state: PanelBoundaryState = { failure: undefined }

  static getDerivedStateFromError(error: unknown): PanelBoundaryState {
    return { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <EmptyState
        title={appText.panelBoundary.couldNotShow(this.props.name)}
        actions={
          <Button onClick={() => this.setState({ failure: undefined })}>
            {appText.panelBoundary.showAgain}
          </Button>
        }
      >
        <p>{failure}</p>
        <p>{appText.panelBoundary.internalError}</p>
      </EmptyState>
    )
  }
}
