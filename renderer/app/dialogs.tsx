import { RulesDialogs } from '../inbox/rules-dialog.tsx'
import { Comparison } from '../comparison/comparison.tsx'
import { InstallDialogs } from '../install/install-dialogs.tsx'
import { OpenWorkspace } from '../registry/open-workspace.tsx'
import { ServerDialogs } from '../servers/server-dialogs.tsx'
import { TestFile } from '../test-file/test-file.tsx'

/** The dialogs that can open on every page. Each follows a state of its module. */
export default function Dialogs() {
  return (
    <>
      <ServerDialogs />
      <RulesDialogs />
      <OpenWorkspace />
      <InstallDialogs />
      <Comparison />
      <TestFile />
    </>
  )
}
