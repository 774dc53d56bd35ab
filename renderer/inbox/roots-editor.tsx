import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { TextField } from '../controls/text-field.tsx'
import { fileUri } from './file-uri.ts'
import styles from './inbox.module.css'
import { inboxText } from './text.ts'

/** A root as it is edited; without a name it is sent without one. */
export type Root = { readonly uri: string; readonly name: string }

/** Why a root cannot be sent as it is (client features: roots must be `file://` URIs). */
export function rootProblem({ uri }: Root): string | undefined {
  return /^file:\/\//i.test(uri) && URL.canParse(uri) ? undefined : inboxText.rootsEditor.invalidRoot
}

/** What is sent. */
export function rootsResult(roots: readonly Root[]): { roots: { uri: string; name?: string }[] } {
  return { roots: roots.map(({ uri, name }) => (name === '' ? { uri } : { uri, name })) }
}

interface RootsEditorProps {
  roots: readonly Root[]
  /** A folder to begin with. */
  suggestion: string | undefined
  onChange: (roots: readonly Root[]) => void
}

/** Folders, one line each. A path that is typed becomes the `file://` URI that it stands for. */
export function RootsEditor({ roots, suggestion, onChange }: RootsEditorProps) {
  const change = (place: number, change: Partial<Root>): void =>
    onChange(roots.map((root, at) => (at === place ? { ...root, ...change } : root)))
  const first = suggestion === undefined || roots.length > 0 ? '' : fileUri(suggestion)
  return (
    <div className={styles.roots} role="group" aria-label={inboxText.rootsEditor.roots}>
      {roots.map((root, place) => {
        const problem = rootProblem(root)
        return (
          <div key={place} className={styles.root}>
            <TextField
              mono
              aria-label={inboxText.rootsEditor.folder(place + 1)}
              placeholder={inboxText.rootsEditor.filePathToFolder}
              value={root.uri}
              invalid={root.uri !== '' && problem !== undefined}
              title={problem}
              onValueChange={(uri) => change(place, { uri })}
              onBlur={() => change(place, { uri: fileUri(root.uri) })}
            />
            <TextField
              aria-label={inboxText.rootsEditor.nameOfFolder(place + 1)}
              placeholder={inboxText.rootsEditor.name}
              value={root.name}
              onValueChange={(name) => change(place, { name })}
            />
            <IconButton
              tight
              icon="trash"
              label={inboxText.rootsEditor.removeFolder(place + 1)}
              onClick={() => onChange(roots.filter((_root, at) => at !== place))}
            />
          </div>
        )
      })}
      <div>
        <Button tone="quiet" icon="plus" onClick={() => onChange([...roots, { uri: first, name: '' }])}>
          {inboxText.rootsEditor.addFolder}
        </Button>
      </div>
    </div>
  )
}
